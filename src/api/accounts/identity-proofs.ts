import * as z from 'zod'
import { Id, Url } from '../../contract/scalars'
import { accountExists } from '../../domain/accounts/find'
import { NotFound } from '../../errors'
import { member } from '../caller'
import { readEndpoint } from '../endpoint'

/** What Mastodon before 3.5 told of somebody elsewhere on the web. */
const IdentityProof = z
  .strictObject({
    provider: z.string(),
    provider_username: z.string(),
    updated_at: z.iso.datetime({ precision: 3 }),
    proof_url: Url,
    profile_url: Url,
  })
  .meta({ id: 'IdentityProof' })

export const identityProofs = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/:id/identity_proofs',
    summary: 'Nothing: the documentation keeps the address for old apps, and has it answer an empty list',
    auth: member(),
    deprecatedSince: new Date('2022-03-30T00:00:00Z'),
    input: z.object({ id: Id }),
    output: z.array(IdentityProof),
    read: (ctx, { input }) => accountExists(ctx, input.id),
    show: (_ctx, { found }) => {
      if (!found) throw new NotFound()
      return []
    },
  }),
]
