import * as z from 'zod'
import { AdminCanonicalEmailBlock } from '../../contract/entities/admin/sign-up-block'
import { Id, OptionalText } from '../../contract/scalars'
import { execute } from '../../db/query'
import {
  canonicalEmailHash,
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlock,
  findCanonicalEmailBlocks,
  matchCanonicalEmail,
} from '../../domain/instance/blocks/canonical-email-blocks'
import { BadRequest, NotFound } from '../../errors'
import { presentCanonicalEmailBlock } from '../../view/present/sign-up-blocks'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read:canonical_email_blocks', 'manageBlocks')
const writing = staff('admin:write:canonical_email_blocks', 'manageBlocks')
const path = '/api/v1/admin/canonical_email_blocks'

export const adminCanonicalEmailBlocks = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'Blocked e-mail addresses as hashes, newest first',
    auth: reading,
    input: z.object(paging(100, 200)),
    output: z.array(AdminCanonicalEmailBlock),
    read: (ctx, { input }) => findCanonicalEmailBlocks(ctx, pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(found.map(presentCanonicalEmailBlock), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),
  readEndpoint({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'One blocked e-mail address',
    auth: reading,
    input: z.object({ id: Id }),
    output: AdminCanonicalEmailBlock,
    read: (ctx, { input }) => findCanonicalEmailBlock(ctx, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentCanonicalEmailBlock(found)
    },
  }),
  endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary: 'The blocks that an e-mail address meets',
    auth: reading,
    input: z.object({ email: OptionalText }),
    output: z.array(AdminCanonicalEmailBlock),
    run: async (ctx, { input: { email = '' } }) => {
      if (email.trim() === '') throw new BadRequest('Required parameter email is missing or blank')
      const found = await execute(ctx.db, matchCanonicalEmail(ctx, await canonicalEmailHash(email)))
      return found === null ? [] : [presentCanonicalEmailBlock(found)]
    },
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Blocks an e-mail address in every spelling, by the address or its hash',
    auth: writing,
    input: z.object({ email: OptionalText, canonical_email_hash: OptionalText }),
    output: AdminCanonicalEmailBlock,
    run: async (ctx, { viewer, input: { email = '', canonical_email_hash: hash = '' } }) =>
      presentCanonicalEmailBlock(await createCanonicalEmailBlock(ctx, viewer, { email, hash })),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Lifts the block of an e-mail address',
    auth: writing,
    input: z.object({ id: Id }),
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await deleteCanonicalEmailBlock(ctx, viewer, input.id)
      return {}
    },
  }),
]
