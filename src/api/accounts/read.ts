import * as z from 'zod'
import { acctOf } from '../../contract/addresses'
import { Account, FamiliarFollowers } from '../../contract/entities/account'
import { Status } from '../../contract/entities/status'
import { type Handle, parseHandle } from '../../contract/handle'
import { Flag, Id, IdList, Limit, Offset } from '../../contract/scalars'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { combineQueries, execute } from '../../db/query'
import { accountExists, selectByHandle, selectById, selectKnown } from '../../domain/accounts/find'
import { selectMatching } from '../../domain/accounts/find-directory'
import type { ViewerRef } from '../../domain/core/viewer'
import { endorsementsOf, followersOf, followingOf } from '../../domain/relationships/account-lists'
import { familiarFollowers } from '../../domain/relationships/find'
import { mayTriggerFetches } from '../../domain/sessions/find'
import { accountSelection, pinnedSelection } from '../../domain/timelines/account'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { accountsById, loadAccount, loadAccounts, noAccounts } from '../../view/load/accounts'
import { loadStatuses } from '../../view/load/statuses'
import { presentAccount, presentAccounts, presentOnlyAccount } from '../../view/present/account'
import { presentStatuses } from '../../view/present/status'
import { anyone, endpoint, readEndpoint, user } from '../endpoint'
import { page, pageOf, paging, type RelationList, relationList } from '../paginate'
import { ById } from './relationships'

const maxIds = 40

export const accountReads = [
  readEndpoint({
    path: '/api/v1/accounts',
    summary: 'Several accounts by id; unknown ids are left out',
    auth: anyone('read:accounts'),
    input: z.object({
      id: IdList.refine((ids) => ids.length <= maxIds, `names more than ${maxIds} accounts`),
    }),
    output: z.array(Account),
    read: (ctx, { input }) => loadAccounts(ctx, selectKnown(input.id)),
    show: ({ config }, { found }) => presentAccounts(config, found),
  }),
  readEndpoint({
    path: '/api/v1/accounts/lookup',
    summary: 'The account with a handle; asked for at its own server for people who signed in',
    auth: anyone('read:accounts'),
    input: z.object({ acct: z.string() }),
    output: Account,
    read: (ctx, { input }) => {
      const handle = parseHandle(input.acct, ctx.config.ownDomains)
      return handle === null ? noAccounts : loadAccount(ctx, selectByHandle(handle))
    },
    show: async (ctx, { input, caller, found }) => {
      const handle = parseHandle(input.acct, ctx.config.ownDomains)
      if (!mayTriggerFetches(caller) || handle?.domain == null) return presentOnlyAccount(ctx.config, found)
      const { username, domain } = handle
      if (found.ids.length > 0) ctx.waitUntil(ctx.resolver.accountByHandle({ username, domain }))
      const [resolved] = found.ids.length > 0 ? [] : await resolveHandle(ctx, handle)
      return resolved ?? presentOnlyAccount(ctx.config, found)
    },
  }),
  readEndpoint({
    path: '/api/v1/accounts/:id',
    summary: 'An account',
    auth: anyone('read:accounts'),
    input: z.object({ id: Id }),
    output: Account,
    read: (ctx, { input }) => loadAccount(ctx, selectById(input.id)),
    show: ({ config }, { found }) => presentOnlyAccount(config, found),
  }),
]

export const accountSearch = [
  readEndpoint({
    path: '/api/v1/accounts/search',
    summary: 'Accounts by the beginnings of names, or by handle from anywhere',
    auth: user('read:accounts'),
    input: z.object({
      q: z.string(),
      limit: Limit(40, 80),
      offset: Offset(),
      following: Flag.default(false),
      /** Resolves the handle on its own server if it is unknown here. */
      resolve: Flag.default(false),
    }),
    output: z.array(Account),
    read: (ctx, { input, as }) => {
      const text = input.q.trim().replace(/^@/, '')
      const selection = selectMatching(as, {
        text,
        handle: parseHandle(text, ctx.config.ownDomains),
        onlyFollowed: input.following,
        limit: input.limit,
        offset: input.offset,
      })
      return selection === null ? noAccounts : loadAccounts(ctx, selection)
    },
    show: async (ctx, { input, found }) => {
      const known = presentAccounts(ctx.config, found)
      const handle = parseHandle(input.q, ctx.config.ownDomains)
      if (!input.resolve || input.following || input.offset > 0 || handle === null) return known
      const isThere = known.some(({ acct }) => acct.toLowerCase() === acctOf(handle).toLowerCase())
      const resolved = isThere ? [] : await resolveHandle(ctx, handle)
      const others = known.filter(({ id }) => resolved.every((account) => account.id !== id))
      return [...resolved, ...others].slice(0, input.limit)
    },
  }),
]

const Tagged = z
  .string()
  .nullish()
  .transform((name) => (name == null || name === '' ? null : normaliseHashtag(name)))

const Input = ById.extend({
  ...paging(20, 40),
  only_media: Flag.default(false),
  exclude_replies: Flag.default(false),
  exclude_reblogs: Flag.default(false),
  exclude_direct: Flag.default(false),
  pinned: Flag.default(false),
  tagged: Tagged,
})

export const accountStatuses = [
  readEndpoint({
    path: '/api/v1/accounts/:id/statuses',
    summary: 'What an account posted',
    auth: anyone('read:statuses'),
    input: Input,
    output: z.array(Status),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        exists: accountExists(ctx, input.id),
        statuses: loadStatuses(ctx, as, selectionOf(as, input, now)),
      }),
    show: ({ config, clock }, { input, request, found }) => {
      if (!found.exists) throw new NotFound()
      return page(presentStatuses({ config, now: clock.now() }, found.statuses), request, {
        cursors: found.statuses.cursors,
        endsEarly: found.statuses.endsEarly,
        limit: input.limit,
      })
    },
  }),
]

function selectionOf(viewer: ViewerRef, input: z.output<typeof Input>, now: Date) {
  if (input.pinned) return pinnedSelection(viewer, input.id, pageOf(input))
  const filter = {
    owner: input.id,
    onlyMedia: input.only_media,
    excludeReplies: input.exclude_replies,
    excludeReblogs: input.exclude_reblogs,
    excludeDirect: input.exclude_direct,
    tagged: input.tagged,
  }
  return accountSelection(viewer, filter, pageOf(input), now)
}

const maxAccounts = 40

export const accountFamiliarFollowers = [
  readEndpoint({
    path: '/api/v1/accounts/familiar_followers',
    summary: 'Who of those the viewer follows also follows some accounts',
    auth: user('read:follows'),
    input: z.object({ id: IdList.transform((ids) => ids.slice(0, maxAccounts)) }),
    output: z.array(FamiliarFollowers),
    read: (ctx, { input: { id: ids }, as, now }) => familiarFollowers(ctx, { viewer: as, ids, now }),
    show: async (ctx, { found: familiar }) => {
      // In a round trip of its own: in the same, it would look for them all again.
      const ids = [...new Set(familiar.flatMap(({ followers }) => followers))]
      const accounts = await execute(ctx.db, loadAccounts(ctx, accountsById(ids)))
      return familiar.map(({ id, followers }) => ({
        id: String(id),
        accounts: followers
          .filter((follower) => accounts.accounts.has(follower))
          .map((follower) => presentAccount(ctx.config, accounts, follower)),
      }))
    },
  }),
]

const exists: RelationList['exists'] = (ctx, _as, id) => accountExists(ctx, id)

const lists: readonly Omit<RelationList, 'exists'>[] = [
  { path: '/api/v1/accounts/:id/followers', summary: 'Who follows an account', select: followersOf },
  { path: '/api/v1/accounts/:id/following', summary: 'Whom an account follows', select: followingOf },
  { path: '/api/v1/accounts/:id/endorsements', summary: 'Whom an account features', select: endorsementsOf },
]

export const accountRelationLists = lists.map((list) => relationList({ ...list, exists }))

/**
 * Mastodon 4.6 lets visitors subscribe by mail to the statuses of an account where the operator, a role and the
 * account all allow it, and answers 404 where one of them does not. This server never allows it: statuses are not
 * sent by mail.
 */
export const emailSubscriptions = [
  endpoint({
    path: '/api/v1/accounts/:account_id/email_subscriptions',
    summary: 'Subscribe to posts by mail: switched off, so that no account is found',
    auth: anyone(),
    input: z.object({ account_id: Id }),
    run: () => {
      throw new NotFound()
    },
  }),
]

/** The account with this handle, resolved over WebFinger if needed; empty if it cannot be resolved. */
async function resolveHandle(ctx: Ctx, { username, domain }: Handle): Promise<readonly Account[]> {
  const id = domain === null ? null : await ctx.resolver.accountByHandle({ username, domain })
  if (id === null) return []
  return presentAccounts(ctx.config, await execute(ctx.db, loadAccount(ctx, selectById(id))))
}
