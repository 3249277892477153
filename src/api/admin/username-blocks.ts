import * as z from 'zod'
import { UsernameBlock, UsernameBlockComparison } from '../../contract/entities/admin/sign-up'
import { Flag, OptionalText } from '../../contract/scalars'
import {
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlock,
  findUsernameBlocks,
  updateUsernameBlock,
} from '../../domain/sign-up-blocks/username-blocks'
import { presentUsernameBlock } from '../../view/present/admin-sign-up'
import { staff } from '../endpoint'
import { AdminResource, ById } from './resource'

const blocks = new AdminResource({
  path: '/api/fieldfare/v1/admin/username_blocks',
  reading: staff('admin:read', 'manageBlocks'),
  writing: staff('admin:write', 'manageBlocks'),
  output: UsernameBlock,
  present: presentUsernameBlock,
})

const Fields = z.object({
  username: OptionalText,
  comparison: UsernameBlockComparison.optional(),
  allow_with_approval: Flag,
})

export const adminUsernameBlocks = [
  blocks.list('Blocked usernames, newest first', [100, 200], findUsernameBlocks),
  blocks.one('One blocked username', findUsernameBlock),
  blocks.create('Blocks a username at sign-up: this name only, or every name that contains it', {
    input: Fields,
    run: (ctx, { viewer, input }) => {
      const { username = '', comparison, allow_with_approval: allowWithApproval = false } = input
      return createUsernameBlock(ctx, viewer, { username, exact: comparison === 'equals', allowWithApproval })
    },
  }),
  ...blocks.update('Changes the block of a username; what is left out stays', {
    input: Fields.extend(ById.shape),
    run: (ctx, { viewer, input }) => {
      const { id, username, comparison, allow_with_approval: allowWithApproval } = input
      return updateUsernameBlock(ctx, viewer, id, {
        ...(username === undefined ? {} : { username }),
        ...(comparison === undefined ? {} : { exact: comparison === 'equals' }),
        ...(allowWithApproval === undefined ? {} : { allowWithApproval }),
      })
    },
  }),
  blocks.remove('Lifts the block of a username', deleteUsernameBlock),
]
