import * as z from 'zod'
import { UsernameBlock, UsernameBlockComparison } from '../../contract/entities/admin/sign-up-block'
import { Flag, Id, OptionalText } from '../../contract/scalars'
import {
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlock,
  findUsernameBlocks,
  updateUsernameBlock,
} from '../../domain/instance/blocks/username-blocks'
import { NotFound } from '../../errors'
import { presentUsernameBlock } from '../../view/present/sign-up-blocks'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read', 'manageBlocks')
const writing = staff('admin:write', 'manageBlocks')
const path = '/api/fieldfare/v1/admin/username_blocks'

const Fields = z.object({
  username: OptionalText,
  comparison: UsernameBlockComparison.optional(),
  allow_with_approval: Flag,
})

const changing = updateEndpoints({
  path: `${path}/:id`,
  summary: 'Changes the block of a username; what is left out stays',
  auth: writing,
  input: Fields.extend({ id: Id }),
  output: UsernameBlock,
  run: async (ctx, { viewer, input }) => {
    const { id, username, comparison, allow_with_approval: allowWithApproval } = input
    const row = await updateUsernameBlock(ctx, viewer, id, {
      ...(username === undefined ? {} : { username }),
      ...(comparison === undefined ? {} : { exact: comparison === 'equals' }),
      ...(allowWithApproval === undefined ? {} : { allowWithApproval }),
    })
    return presentUsernameBlock(row)
  },
})

export const adminUsernameBlocks = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'Blocked usernames, newest first',
    auth: reading,
    input: z.object(paging(100, 200)),
    output: z.array(UsernameBlock),
    read: (ctx, { input }) => findUsernameBlocks(ctx, pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(found.map(presentUsernameBlock), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),
  readEndpoint({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'One blocked username',
    auth: reading,
    input: z.object({ id: Id }),
    output: UsernameBlock,
    read: (ctx, { input }) => findUsernameBlock(ctx, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentUsernameBlock(found)
    },
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Blocks a username at sign-up: this name only, or every name that contains it',
    auth: writing,
    input: Fields,
    output: UsernameBlock,
    run: async (ctx, { viewer, input }) => {
      const { username = '', comparison, allow_with_approval: allowWithApproval = false } = input
      const order = { username, exact: comparison === 'equals', allowWithApproval }
      return presentUsernameBlock(await createUsernameBlock(ctx, viewer, order))
    },
  }),
  ...changing,
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Lifts the block of a username',
    auth: writing,
    input: z.object({ id: Id }),
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await deleteUsernameBlock(ctx, viewer, input.id)
      return {}
    },
  }),
]
