import * as z from 'zod'
import { Relationship } from '../../contract/entities/relationship'
import { Flag, Id, IdList, OptionalTextList } from '../../contract/scalars'
import { selectKnown } from '../../domain/accounts/find'
import { followAccount, removeFollower, unfollowAccount } from '../../domain/relationships/follow'
import type { FollowOptions } from '../../domain/relationships/follow-rows'
import { knownLanguage } from '../../lib/language'
import { loadRelationships } from '../../view/load/relationships'
import { presentRelationship } from '../../view/present/relationship'
import { user } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { relationshipTo } from './relationship'

const Languages = OptionalTextList.transform((tags, context) => {
  const codes = tags?.map(knownLanguage)
  if (codes?.every((code) => code !== null) ?? true) return codes?.filter((code) => code !== null)
  context.addIssue({ code: 'custom', message: 'contain an unknown language' })
  return z.NEVER
})

const FollowInput = z.object({ id: Id, reblogs: Flag, notify: Flag, languages: Languages })

export const accountRelationships = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/relationships',
    summary: 'How the viewer stands to several accounts',
    auth: user('read:follows'),
    input: z.object({ id: IdList, with_suspended: Flag.default(false) }),
    output: z.array(Relationship),
    read: (ctx, { input, as }) =>
      loadRelationships(ctx, as, selectKnown(input.id, { withSuspended: input.with_suspended })),
    show: (_ctx, { found }) => found.map(presentRelationship),
  }),
  endpoint({
    method: 'POST',
    path: '/api/v1/accounts/:id/follow',
    summary: 'Follow an account, or change what one gets of it',
    auth: user('write:follows'),
    limit: 'follows',
    input: FollowInput,
    output: Relationship,
    run: async (ctx, { input, viewer }) => {
      await followAccount(ctx, viewer, input.id, optionsOf(input))
      return relationshipTo(ctx, viewer, input.id)
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/v1/accounts/:id/unfollow',
    summary: 'Follow an account no longer, or take the request back',
    auth: user('write:follows'),
    input: z.object({ id: Id }),
    output: Relationship,
    run: async (ctx, { input, viewer }) => {
      await unfollowAccount(ctx, viewer, input.id)
      return relationshipTo(ctx, viewer, input.id)
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/v1/accounts/:id/remove_from_followers',
    summary: 'Make an account follow the viewer no longer',
    auth: user('write:follows'),
    input: z.object({ id: Id }),
    output: Relationship,
    run: async (ctx, { input, viewer }) => {
      await removeFollower(ctx, viewer, input.id)
      return relationshipTo(ctx, viewer, input.id)
    },
  }),
]

/** Only what was sent: following again leaves the rest as it was. No languages means all. */
function optionsOf(input: z.output<typeof FollowInput>): Partial<FollowOptions> {
  const { reblogs, notify, languages } = input
  return {
    ...(reblogs === undefined ? {} : { showReblogs: reblogs }),
    ...(notify === undefined ? {} : { notify }),
    ...(languages === undefined ? {} : { languages: languages.length === 0 ? null : languages }),
  }
}
