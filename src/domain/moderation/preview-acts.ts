import { sql } from 'drizzle-orm'
import { combineQueries, execute, first, limitTo, map, type Query } from '../../db/query'
import { Invalid } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { findDeletableAccount } from '../accounts/delete-own'
import type { Moderator } from '../core/viewer'
import { requireDeletable } from './delete-account'
import { accountToModerate, type ModeratedAccount, requireTarget } from './find-target'
import {
  checkStrike,
  collectionsConcerned,
  findStrikeFacts,
  type StrikeOrder,
  statusesConcerned,
} from './strike'
import { reversibleDays, suspendedAlready } from './suspend-account'

/** A count up to a bound; `isComplete` is false where there are more. */
export interface BoundedCount {
  readonly count: number
  readonly isComplete: boolean
}

/** Posts and follows of an account, counted before an act that ends them. */
export interface Reach {
  /** Posts and boosts of every visibility. */
  readonly posts: BoundedCount
  readonly followers: BoundedCount
  readonly following: BoundedCount
  /** Other servers of the followers and followed accounts that were counted. */
  readonly servers: BoundedCount
}

export interface AccountPreview {
  readonly target: ModeratedAccount
  readonly reach: Reach
}

/**
 * Previews the suspension that `actOnAccount` would make, and fails as it would. One round trip. Until `liftableUntil`
 * it can be lifted; then the data are deleted.
 */
export async function previewSuspension(
  ctx: Ctx,
  moderator: Moderator,
  order: StrikeOrder,
): Promise<AccountPreview & { readonly liftableUntil: Date }> {
  const { facts, reach } = await execute(
    ctx.db,
    combineQueries({
      facts: findStrikeFacts(ctx, moderator, order),
      reach: countReach(ctx, order.accountId),
    }),
  )
  const target = requireTarget(moderator, facts.target)
  checkStrike(order, facts)
  if (target.suspendedAt !== null && !target.suspendedAtHome) throw suspendedAlready(target)
  const liftableUntil = new Date(ctx.clock.now().getTime() + reversibleDays * dayMilliseconds)
  return { target, reach, liftableUntil }
}

/** Fails as `actOnAccount` would, where that changes nothing but the account. One round trip. */
export async function previewStrike(ctx: Ctx, moderator: Moderator, order: StrikeOrder): Promise<void> {
  const facts = await execute(ctx.db, findStrikeFacts(ctx, moderator, order))
  requireTarget(moderator, facts.target)
  checkStrike(order, facts)
}

/** Posts and collections that a decision deletes. */
export interface DeletionPreview {
  readonly target: ModeratedAccount
  readonly postsCount: number
  readonly collectionsCount: number
}

/** Previews the deletion that `actOnStatuses` would make, and fails as it would. One round trip. */
export async function previewPostDeletion(
  ctx: Ctx,
  moderator: Moderator,
  order: StrikeOrder,
): Promise<DeletionPreview> {
  const facts = await execute(ctx.db, findStrikeFacts(ctx, moderator, order))
  const target = requireTarget(moderator, facts.target)
  checkStrike(order, facts)
  const [postsCount, collectionsCount] = [
    statusesConcerned(order, facts).length,
    collectionsConcerned(order, facts).length,
  ]
  if (postsCount + collectionsCount === 0) throw new Invalid('blank', { field: 'status_ids' })
  return { target, postsCount, collectionsCount }
}

/** Previews what `deleteSuspendedAccount` would delete, and fails as it would. One round trip. */
export async function previewDataDeletion(
  ctx: Ctx,
  moderator: Moderator,
  accountId: AccountId,
): Promise<AccountPreview> {
  const { found, own, reach } = await execute(
    ctx.db,
    combineQueries({
      found: accountToModerate(ctx, accountId),
      own: findDeletableAccount(ctx, accountId),
      reach: countReach(ctx, accountId),
    }),
  )
  return { target: requireDeletable(moderator, found, own), reach }
}

/** Rows that are counted of each kind. */
const mostCounted = 1_000

/** Reads at most `mostCounted` rows of each kind, and the account of each follow. */
function countReach(ctx: Ctx, id: AccountId): Query<Reach> {
  const within = (table: string, column: string) =>
    sql`(select count(*) from (select 1 from ${sql.raw(table)}
      where ${sql.raw(column)} = ${id} ${limitTo(mostCounted + 1)}))`
  const others = (other: string, self: string) =>
    sql`select other from (select ${sql.raw(other)} as other from follows
      where ${sql.raw(self)} = ${id} ${limitTo(mostCounted)})`
  const servers = sql<number>`(select count(distinct a.domain) from (
    ${others('account_id', 'target_account_id')} union all ${others('target_account_id', 'account_id')}) f
    cross join accounts a where a.id = f.other)`
  const counted = first(
    ctx.db
      .select({
        posts: sql<number>`${within('statuses', 'account_id')}`.as('posts'),
        followers: sql<number>`${within('follows', 'target_account_id')}`.as('followers'),
        following: sql<number>`${within('follows', 'account_id')}`.as('following'),
        servers: servers.as('servers'),
      })
      .from(sql`(select 1)`),
  )
  return map(counted, (row) => {
    const { posts, followers, following, servers } = row ?? {
      posts: 0,
      followers: 0,
      following: 0,
      servers: 0,
    }
    const [ofFollowers, ofFollowing] = [bounded(followers), bounded(following)]
    return {
      posts: bounded(posts),
      followers: ofFollowers,
      following: ofFollowing,
      servers: { count: servers, isComplete: ofFollowers.isComplete && ofFollowing.isComplete },
    }
  })
}

function bounded(count: number): BoundedCount {
  return { count: Math.min(count, mostCounted), isComplete: count <= mostCounted }
}
