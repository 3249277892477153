import * as z from 'zod'
import { CredentialAccount } from '../../contract/entities/account'
import { execute } from '../../db/query'
import { updateProfile } from '../../domain/accounts/update'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import type { Ctx } from '../../ports/ctx'
import { loadOwnAccount } from '../../view/load/accounts'
import { presentCredentialAccount } from '../../view/present/own-account'
import { user } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { CredentialsInput, patchOf } from './profile-input'

export const accountCredentials = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/verify_credentials',
    summary: "The viewer's own account",
    auth: user('read:accounts', 'profile'),
    input: z.object({}),
    output: CredentialAccount,
    read: (ctx, { as }) => loadOwnAccount(ctx, as),
    show: ({ config }, { found }) => presentCredentialAccount(config, found),
  }),
  endpoint({
    method: 'PATCH',
    path: '/api/v1/accounts/update_credentials',
    summary: 'Edit the own profile and posting defaults',
    auth: user('write:accounts'),
    takesFiles: true,
    input: CredentialsInput,
    output: CredentialAccount,
    run: async (ctx, { input, viewer }) => {
      await updateProfile(ctx, viewer, patchOf(input))
      return ownAccount(ctx, viewer)
    },
  }),
]

/** The viewer's own account after the write: the response to every change of it. */
export async function ownAccount(ctx: Ctx, viewer: Viewer): Promise<CredentialAccount> {
  return presentCredentialAccount(
    ctx.config,
    await execute(ctx.db, loadOwnAccount(ctx, viewerById(viewer.id))),
  )
}
