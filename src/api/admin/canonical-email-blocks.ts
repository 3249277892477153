import * as z from 'zod'
import { AdminCanonicalEmailBlock } from '../../contract/entities/admin/sign-up'
import { OptionalText } from '../../contract/scalars'
import { execute } from '../../db/query'
import {
  canonicalEmailHash,
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlock,
  findCanonicalEmailBlocks,
  matchCanonicalEmail,
} from '../../domain/sign-up-blocks/canonical-email-blocks'
import { BadRequest } from '../../errors'
import { presentCanonicalEmailBlock } from '../../view/present/admin-sign-up'
import { endpoint, staff } from '../endpoint'
import { AdminResource } from './resource'

const reading = staff('admin:read:canonical_email_blocks', 'manageBlocks')
const path = '/api/v1/admin/canonical_email_blocks'

const blocks = new AdminResource({
  path,
  reading,
  writing: staff('admin:write:canonical_email_blocks', 'manageBlocks'),
  output: AdminCanonicalEmailBlock,
  present: presentCanonicalEmailBlock,
})

export const adminCanonicalEmailBlocks = [
  blocks.list('Blocked e-mail addresses as hashes, newest first', [100, 200], findCanonicalEmailBlocks),
  blocks.one('One blocked e-mail address', findCanonicalEmailBlock),
  endpoint({
    path: `${path}/test`,
    summary: 'The blocks that an e-mail address meets',
    auth: staff('admin:read:canonical_email_blocks', 'manageBlocks'),
    input: z.object({ email: OptionalText }),
    output: z.array(AdminCanonicalEmailBlock),
    run: async (ctx, { input: { email = '' } }) => {
      if (email.trim() === '') throw new BadRequest('parameter_missing', { name: 'email' })
      const found = await execute(ctx.db, matchCanonicalEmail(ctx, await canonicalEmailHash(email)))
      return found === null ? [] : [presentCanonicalEmailBlock(found)]
    },
  }),
  blocks.create('Blocks an e-mail address in every spelling, by the address or its hash', {
    input: z.object({ email: OptionalText, canonical_email_hash: OptionalText }),
    run: (ctx, { viewer, input: { email = '', canonical_email_hash: hash = '' } }) =>
      createCanonicalEmailBlock(ctx, viewer, { email, hash }),
  }),
  blocks.remove('Lifts the block of an e-mail address', deleteCanonicalEmailBlock),
]
