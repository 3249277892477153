import * as z from 'zod'
import { AdminIpBlock } from '../../contract/entities/admin/sign-up'
import { Int, OptionalText } from '../../contract/scalars'
import {
  createIpBlock,
  deleteIpBlock,
  findIpBlock,
  findIpBlocks,
  type IpBlockOrder,
  updateIpBlock,
} from '../../domain/sign-up-blocks/ip-blocks'
import { presentIpBlock } from '../../view/present/admin-sign-up'
import { staff } from '../endpoint'
import { AdminResource, ById } from './resource'

const blocks = new AdminResource({
  path: '/api/v1/admin/ip_blocks',
  reading: staff('admin:read:ip_blocks', 'manageBlocks'),
  writing: staff('admin:write:ip_blocks', 'manageBlocks'),
  output: AdminIpBlock,
  present: presentIpBlock,
})

const Fields = z.object({
  ip: OptionalText,
  severity: OptionalText,
  comment: OptionalText,
  /** Blank: for good. */
  expires_in: z.union([z.literal('').transform(() => null), z.null(), Int]),
})

export const adminIpBlocks = [
  blocks.list('Blocked networks, newest first', [100, 200], findIpBlocks),
  blocks.one('One blocked network', findIpBlock),
  blocks.create('Blocks a network: its sign-ups need approval, or are refused, or every request is', {
    input: Fields,
    run: (ctx, { viewer, input }) => createIpBlock(ctx, viewer, orderOf(input)),
  }),
  ...blocks.update('Changes a block of a network; what is left out stays', {
    input: Fields.extend(ById.shape),
    run: (ctx, { viewer, input }) => updateIpBlock(ctx, viewer, input.id, orderOf(input)),
  }),
  blocks.remove('Lifts the block of a network', deleteIpBlock),
]

/** The fields that the request names. */
function orderOf({
  ip,
  severity,
  comment,
  expires_in: expiresIn,
}: z.output<typeof Fields>): Partial<IpBlockOrder> {
  return {
    ...(ip === undefined ? {} : { ip }),
    ...(severity === undefined ? {} : { severity }),
    ...(comment === undefined ? {} : { comment }),
    ...(expiresIn === undefined ? {} : { expiresIn }),
  }
}
