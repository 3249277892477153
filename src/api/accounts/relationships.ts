import * as z from 'zod'
import { Account, Relationship } from '../../contract/entities/account'
import { parseHandle } from '../../contract/handle'
import { Flag, Id, IdList, Int, OptionalTextList } from '../../contract/scalars'
import { execute } from '../../db/query'
import { selectByHandle, selectById, selectKnown } from '../../domain/accounts/find'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import { blockAccount, muteAccount, unblockAccount, unmuteAccount } from '../../domain/relationships/block'
import {
  endorseAccount,
  followAccount,
  noteAccount,
  removeFollower,
  unendorseAccount,
  unfollowAccount,
} from '../../domain/relationships/follow'
import type { FollowOptions } from '../../domain/relationships/follow-rows'
import type { Scope } from '../../domain/sessions/scopes'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import type { Ctx } from '../../ports/ctx'
import type { RateFamily } from '../../ports/rate-limits'
import { loadAccount, loadAccounts } from '../../view/load/accounts'
import { loadRelationships } from '../../view/load/relationships'
import { presentOnlyAccount, presentRelationship } from '../../view/present/account'
import { type Endpoint, endpoint, readEndpoint, user } from '../endpoint'

export const followByHandle = [
  endpoint({
    path: '/api/v1/follows',
    summary: 'Follow by handle, whether the account is known or not, as apps before 3.0 did',
    auth: user('write:follows'),
    limit: 'follows',
    deprecatedSince: new Date('2019-10-03T00:00:00Z'),
    input: z.object({ uri: z.string() }),
    output: Account,
    run: async (ctx, { viewer, input }) => {
      const id = await accountNamed(ctx, input.uri.replace(/^acct:/i, ''))
      await followAccount(ctx, viewer, id, {})
      return presentOnlyAccount(ctx.config, await execute(ctx.db, loadAccount(ctx, selectById(id))))
    },
  }),
]

/** Resolves a handle to an account id, over WebFinger if it is unknown here. `NotFound` if that fails. */
async function accountNamed(ctx: Ctx, text: string): Promise<AccountId> {
  const handle = parseHandle(text, ctx.config.ownDomains)
  if (handle === null) throw new NotFound()
  const { username, domain } = handle
  const [known] = (await execute(ctx.db, loadAccounts(ctx, selectByHandle(handle)))).ids
  const id = known ?? (domain === null ? null : await ctx.resolver.accountByHandle({ username, domain }))
  if (id === null) throw new NotFound()
  return id
}

export const ById = z.object({ id: Id })

interface Change<I extends z.ZodType<{ id: AccountId }>> {
  readonly path: `/${string}`
  readonly summary: string
  readonly scope: Scope
  readonly limit?: RateFamily
  readonly deprecatedSince?: Date
  readonly input: I
  make(ctx: Ctx, viewer: Viewer, input: z.output<I>): Promise<void>
}

/** Declares a route that changes the relationship between the viewer and account `id`, and returns it. */
export function relationshipChange<I extends z.ZodType<{ id: AccountId }>>(change: Change<I>): Endpoint {
  const { path, summary, scope, limit, deprecatedSince, input, make } = change
  return endpoint({
    path,
    summary,
    input,
    ...(limit === undefined ? {} : { limit }),
    ...(deprecatedSince === undefined ? {} : { deprecatedSince }),
    auth: user(scope),
    output: Relationship,
    run: async (ctx, call) => {
      await make(ctx, call.viewer, call.input)
      return relationshipTo(ctx, call.viewer, call.input.id)
    },
  })
}

async function relationshipTo(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<Relationship> {
  const [facts] = await execute(ctx.db, loadRelationships(ctx, viewerById(viewer.id), selectKnown([target])))
  if (facts === undefined) throw new NotFound()
  return presentRelationship(facts)
}

const Languages = OptionalTextList.transform((tags, context) => {
  const codes = tags?.map(knownLanguage)
  if (codes?.every((code) => code !== null) ?? true) return codes?.filter((code) => code !== null)
  context.addIssue({ code: 'custom', message: 'contain an unknown language' })
  return z.NEVER
})

const FollowInput = ById.extend({ reblogs: Flag, notify: Flag, languages: Languages })

/** A century; longer mutes are as good as permanent. */
const longestMuteSeconds = 3_155_760_000
const Duration = Int.default(0).refine(
  (seconds) => seconds >= 0 && seconds <= longestMuteSeconds,
  `must be between 0 and ${longestMuteSeconds} seconds`,
)

const Comment = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

const renamed = { deprecatedSince: new Date('2025-07-08T00:00:00Z') }

/** pin and unpin are the names of endorse and unendorse before 4.4. */
const endorsing = [
  { name: 'endorse', summary: 'Feature a followed account on the own profile', make: endorseAccount },
  { name: 'pin', summary: 'Old name of endorse', make: endorseAccount, ...renamed },
  { name: 'unendorse', summary: 'Feature an account no longer', make: unendorseAccount },
  { name: 'unpin', summary: 'Old name of unendorse', make: unendorseAccount, ...renamed },
]

export const accountRelationships = [
  readEndpoint({
    path: '/api/v1/accounts/relationships',
    summary: 'How the viewer stands to several accounts',
    auth: user('read:follows'),
    input: z.object({ id: IdList, with_suspended: Flag.default(false) }),
    output: z.array(Relationship),
    read: (ctx, { input, as }) =>
      loadRelationships(ctx, as, selectKnown(input.id, { withSuspended: input.with_suspended })),
    show: (_ctx, { found }) => found.map(presentRelationship),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/follow',
    summary: 'Follow an account, or change what one gets of it',
    scope: 'write:follows',
    limit: 'follows',
    input: FollowInput,
    make: (ctx, viewer, input) => followAccount(ctx, viewer, input.id, optionsOf(input)),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/unfollow',
    summary: 'Follow an account no longer, or take the request back',
    scope: 'write:follows',
    input: ById,
    make: (ctx, viewer, { id }) => unfollowAccount(ctx, viewer, id),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/remove_from_followers',
    summary: 'Make an account follow the viewer no longer',
    scope: 'write:follows',
    input: ById,
    make: (ctx, viewer, { id }) => removeFollower(ctx, viewer, id),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/block',
    summary: 'Block an account',
    scope: 'write:blocks',
    input: ById,
    make: (ctx, viewer, { id }) => blockAccount(ctx, viewer, id),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/unblock',
    summary: 'Block an account no longer',
    scope: 'write:blocks',
    input: ById,
    make: (ctx, viewer, { id }) => unblockAccount(ctx, viewer, id),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/mute',
    summary: 'Mute an account, for a while or for ever',
    scope: 'write:mutes',
    input: ById.extend({ notifications: Flag.default(true), duration: Duration }),
    make: (ctx, viewer, { id, notifications, duration }) =>
      muteAccount(ctx, viewer, id, { hideNotifications: notifications, durationSeconds: duration }),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/unmute',
    summary: 'Mute an account no longer',
    scope: 'write:mutes',
    input: ById,
    make: (ctx, viewer, { id }) => unmuteAccount(ctx, viewer, id),
  }),
  relationshipChange({
    path: '/api/v1/accounts/:id/note',
    summary: 'Keep a private note about an account',
    scope: 'write:accounts',
    input: ById.extend({ comment: Comment }),
    make: (ctx, viewer, { id, comment }) => noteAccount(ctx, viewer, id, comment),
  }),
  ...endorsing.map(({ name, make, ...more }) =>
    relationshipChange({
      path: `/api/v1/accounts/:id/${name}`,
      ...more,
      scope: 'write:accounts',
      input: ById,
      make: (ctx, viewer, { id }) => make(ctx, viewer, id),
    }),
  ),
]

/** Only options that were sent: following again leaves the rest unchanged. No languages means every language. */
function optionsOf(input: z.output<typeof FollowInput>): Partial<FollowOptions> {
  const { reblogs, notify, languages } = input
  return {
    ...(reblogs === undefined ? {} : { showReblogs: reblogs }),
    ...(notify === undefined ? {} : { notify }),
    ...(languages === undefined ? {} : { languages: languages.length === 0 ? null : languages }),
  }
}
