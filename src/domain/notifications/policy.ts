import { getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, first, limitTo, map, type Query } from '../../db/query'
import { notificationPolicies } from '../../db/schema'
import type { PolicyLevel } from '../../db/schema/notifications'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer, ViewerRef } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'

export type PolicyAction = 'accept' | 'filter' | 'drop'

/** Action for each class of senders. */
export type PolicyActions = Readonly<Record<PolicyKind, PolicyAction>>
const policyKinds = [
  'notFollowing',
  'notFollowers',
  'newAccounts',
  'privateMentions',
  'limitedAccounts',
  'bots',
] as const
export type PolicyKind = (typeof policyKinds)[number]

/** A policy with the counts of what it currently filters. */
export interface PolicyFacts {
  readonly policy: PolicyActions
  readonly pending: { readonly requests: number; readonly notifications: number }
}

const actions = ['accept', 'filter', 'drop'] as const
const defaults: Readonly<Record<PolicyKind, PolicyLevel>> = {
  notFollowing: 0,
  notFollowers: 0,
  newAccounts: 0,
  privateMentions: 1,
  limitedAccounts: 1,
  bots: 0,
}

/** Upper bound of the pending notifications counted. */
const mostCounted = 500

/** Loads the viewer's policy with its pending requests and notifications. */
export function notificationPolicyOf(ctx: Ctx, viewer: ViewerRef): Query<PolicyFacts> {
  const held = sql`(select n.from_account_id as sender from notifications n indexed by notifications_filtered
    where n.account_id = ${viewer.id} and n.filtered = 1
      and ${senderNotBlockedOrMuted(viewer, ctx.clock.now(), sql`n.from_account_id`)} ${limitTo(mostCounted)}) as held`
  const counted = ctx.db
    .select({
      requests: sql<number>`count(distinct held.sender)`.as('requests'),
      notifications: sql<number>`count(*)`.as('notifications'),
    })
    .from(held)
  const { accountId, ...levels } = getTableColumns(notificationPolicies)
  const row = ctx.db.select(levels).from(notificationPolicies).where(sql`${accountId} = ${viewer.id}`)
  return map(combineQueries({ row: first(row), pending: first(counted) }), ({ row: saved, pending }) => ({
    policy: policyFrom(saved ?? defaults),
    pending: pending ?? { requests: 0, notifications: 0 },
  }))
}

function policyFrom(levels: Readonly<Record<PolicyKind, PolicyLevel>>): PolicyActions {
  const { notFollowing, notFollowers, newAccounts, privateMentions, limitedAccounts, bots } = levels
  return {
    notFollowing: actions[notFollowing],
    notFollowers: actions[notFollowers],
    newAccounts: actions[newAccounts],
    privateMentions: actions[privateMentions],
    limitedAccounts: actions[limitedAccounts],
    bots: actions[bots],
  }
}

const levelOf: Readonly<Record<PolicyAction, PolicyLevel>> = { accept: 0, filter: 1, drop: 2 }

/** Updates the parts of the viewer's policy named in `patch`, for later notifications. */
export async function changeNotificationPolicy(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  patch: Partial<PolicyActions>,
): Promise<void> {
  const levels: Partial<Record<PolicyKind, PolicyLevel>> = {}
  for (const kind of policyKinds) {
    const action = patch[kind]
    if (action !== undefined) levels[kind] = levelOf[action]
  }
  if (Object.keys(levels).length === 0) return
  const save = ctx.db
    .insert(notificationPolicies)
    .values({ accountId: viewer.id, ...levels })
    .onConflictDoUpdate({ target: notificationPolicies.accountId, set: levels })
  await commit(ctx, new Changes().add(save))
}
