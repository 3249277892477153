import { CredentialAccount } from '../contract/entities/account'
import { Profile } from '../contract/entities/own-account'
import { execute } from '../db/query'
import { type PictureKind, removePicture, updateProfile } from '../domain/accounts/update'
import { viewerById } from '../domain/core/viewer'
import { loadOwnProfile } from '../view/load/accounts'
import { presentProfile } from '../view/present/own-account'
import { ownAccount, ProfileInput, patchOf } from './accounts/profile'
import { endpoint, readEndpoint, updateEndpoints, user } from './endpoint'

function removeEndpoint(kind: PictureKind) {
  return endpoint({
    method: 'DELETE',
    path: `/api/v1/profile/${kind}`,
    summary: `Go back to the default ${kind}`,
    auth: user('write:accounts'),
    output: CredentialAccount,
    run: async (ctx, { viewer }) => {
      await removePicture(ctx, viewer, kind)
      return ownAccount(ctx, viewer)
    },
  })
}

export const profile = [
  readEndpoint({
    path: '/api/v1/profile',
    summary: 'The own profile, texts as written',
    auth: user('read:accounts', 'profile'),
    output: Profile,
    read: (ctx, { as }) => loadOwnProfile(ctx, as),
    show: ({ config }, { found }) => presentProfile(config, found),
  }),
  // Clients of 4.6 send PUT for every change.
  ...updateEndpoints({
    path: '/api/v1/profile',
    summary: 'Edit the own profile',
    auth: user('write:accounts'),
    takesFiles: true,
    input: ProfileInput,
    output: Profile,
    run: async (ctx, { input, viewer }) => {
      await updateProfile(ctx, viewer, patchOf({ ...input, source: undefined }))
      return presentProfile(ctx.config, await execute(ctx.db, loadOwnProfile(ctx, viewerById(viewer.id))))
    },
  }),
  removeEndpoint('avatar'),
  removeEndpoint('header'),
]
