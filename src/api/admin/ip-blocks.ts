import * as z from 'zod'
import { AdminIpBlock } from '../../contract/entities/admin/sign-up-block'
import { Id, Int, OptionalText } from '../../contract/scalars'
import {
  createIpBlock,
  deleteIpBlock,
  findIpBlock,
  findIpBlocks,
  type IpBlockOrder,
  updateIpBlock,
} from '../../domain/instance/blocks/ip-blocks'
import { NotFound } from '../../errors'
import { presentIpBlock } from '../../view/present/sign-up-blocks'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read:ip_blocks', 'manageBlocks')
const writing = staff('admin:write:ip_blocks', 'manageBlocks')
const path = '/api/v1/admin/ip_blocks'

const Fields = z.object({
  ip: OptionalText,
  severity: OptionalText,
  comment: OptionalText,
  /** Blank: for good. */
  expires_in: z.union([z.literal('').transform(() => null), z.null(), Int]),
})

const changing = updateEndpoints({
  path: `${path}/:id`,
  summary: 'Changes a block of a network; what is left out stays',
  auth: writing,
  input: Fields.extend({ id: Id }),
  output: AdminIpBlock,
  run: async (ctx, { viewer, input }) =>
    presentIpBlock(await updateIpBlock(ctx, viewer, input.id, orderOf(input))),
})

export const adminIpBlocks = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'Blocked networks, newest first',
    auth: reading,
    input: z.object(paging(100, 200)),
    output: z.array(AdminIpBlock),
    read: (ctx, { input }) => findIpBlocks(ctx, pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(found.map(presentIpBlock), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),
  readEndpoint({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'One blocked network',
    auth: reading,
    input: z.object({ id: Id }),
    output: AdminIpBlock,
    read: (ctx, { input }) => findIpBlock(ctx, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentIpBlock(found)
    },
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Blocks a network: its sign-ups need approval, or are refused, or every request is',
    auth: writing,
    input: Fields,
    output: AdminIpBlock,
    run: async (ctx, { viewer, input }) => presentIpBlock(await createIpBlock(ctx, viewer, orderOf(input))),
  }),
  ...changing,
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Lifts the block of a network',
    auth: writing,
    input: z.object({ id: Id }),
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await deleteIpBlock(ctx, viewer, input.id)
      return {}
    },
  }),
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
