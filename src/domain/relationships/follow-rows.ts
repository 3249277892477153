import { and, eq, sql } from 'drizzle-orm'
import { accounts, endorsements, followRequests, follows, notifications } from '../../db/schema'
import type { NotificationType } from '../../db/schema/notifications'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { DomainEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import type { FollowRow } from './find'

/** Who follows whom. */
export interface FollowPair {
  readonly from: AccountId
  readonly to: AccountId
}

/** What a follower wants to get; `languages` null means all. */
export interface FollowOptions {
  readonly showReblogs: boolean
  readonly notify: boolean
  readonly languages: readonly string[] | null
}

/** Under which row a follow is kept and what its own server calls it, where that was settled before. */
export interface FollowOrigin {
  readonly id?: number
  readonly uri?: string | null
}

/**
 * Adds a follow with its counters, notification and event. A follow that is there already stays as it is and
 * counts once, also when two requests race. Fails with `Forbidden` when a block came in between.
 */
export function addFollow(
  ctx: Ctx,
  changes: Changes,
  tie: FollowPair,
  options: FollowOptions & FollowOrigin,
): void {
  const { id = ctx.ids.next() } = options
  changes
    .require(neitherBlocks(tie), new Forbidden())
    .add(
      ctx.db
        .insert(follows)
        .values({ ...pairColumns(tie), ...options, id, createdAt: ctx.clock.now() })
        .onConflictDoNothing({ target: [follows.accountId, follows.targetAccountId] }),
      // Only the statement above can have made this id: the counters move exactly when it did.
      ...countFollow(ctx, tie, 1, sql`exists (select 1 from follows where id = ${id})`),
      ctx.db.delete(followRequests).where(isRequest(tie)),
      withdrawNotification(ctx, tie, 'follow_request'),
    )
    .emit({ kind: 'follow.created', accountId: tie.from, targetAccountId: tie.to })
  notify(ctx, changes, [{ to: tie.to, from: tie.from, type: 'follow', statusId: null }])
}

/** Adds a request to follow, with its notification. Does nothing where there is a request or a follow. */
export function addFollowRequest(
  ctx: Ctx,
  changes: Changes,
  tie: FollowPair,
  options: FollowOptions & FollowOrigin,
): void {
  const languages = options.languages === null ? null : JSON.stringify(options.languages)
  const { id = ctx.ids.next(), uri = null } = options
  changes.require(neitherBlocks(tie), new Forbidden()).add(
    ctx.db.run(sql`
        insert into ${followRequests} (id, account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
        select ${id}, ${tie.from}, ${tie.to}, ${options.showReblogs ? 1 : 0},
          ${options.notify ? 1 : 0}, ${languages}, ${uri}, ${ctx.clock.now().getTime()}
        where not exists (select 1 from follows where account_id = ${tie.from} and target_account_id = ${tie.to})
        on conflict (account_id, target_account_id) do nothing`),
  )
  notify(ctx, changes, [{ to: tie.to, from: tie.from, type: 'follow_request', statusId: null }])
}

/**
 * Removes a follow with its counters, its notification and the endorsement that rests on it. Where there is
 * none, nothing changes. The event `follow.removed` is the caller's: only it knows whether there was a follow.
 */
export function dropFollow(ctx: Ctx, changes: Changes, tie: FollowPair): void {
  const { from, to } = tie
  const isThere = sql`exists (select 1 from follows where account_id = ${from} and target_account_id = ${to})`
  changes.add(
    // Counted before the row goes: afterwards nothing tells whether it was there.
    ...countFollow(ctx, tie, -1, isThere),
    ctx.db.delete(follows).where(isFollow(tie)),
    ctx.db
      .delete(endorsements)
      .where(and(eq(endorsements.accountId, from), eq(endorsements.targetAccountId, to))),
    withdrawNotification(ctx, tie, 'follow'),
  )
}

/** What to announce of a follow that ended by the deed of `by`. */
export function followRemoved({ from, to }: FollowPair, row: FollowRow, by: AccountId): DomainEvent {
  return { kind: 'follow.removed', accountId: from, targetAccountId: to, by, followId: row.id, uri: row.uri }
}

/** The same of a request that its maker took back. */
export function followWithdrawn({ from, to }: FollowPair, row: FollowRow, by: AccountId): DomainEvent {
  return {
    kind: 'follow.withdrawn',
    accountId: from,
    targetAccountId: to,
    by,
    followId: row.id,
    uri: row.uri,
  }
}

/** The same of a request that was turned down. */
export function followRejected({ from, to }: FollowPair, row: FollowRow, by: AccountId): DomainEvent {
  return { kind: 'follow.rejected', accountId: from, targetAccountId: to, by, followId: row.id, uri: row.uri }
}

/** Removes a request to follow and its notification. */
export function dropFollowRequest(ctx: Ctx, changes: Changes, tie: FollowPair): void {
  changes.add(
    ctx.db.delete(followRequests).where(isRequest(tie)),
    withdrawNotification(ctx, tie, 'follow_request'),
  )
}

function pairColumns(tie: FollowPair) {
  return { accountId: tie.from, targetAccountId: tie.to }
}

export function isFollow(tie: FollowPair) {
  return and(eq(follows.accountId, tie.from), eq(follows.targetAccountId, tie.to))
}

export function isRequest(tie: FollowPair) {
  return and(eq(followRequests.accountId, tie.from), eq(followRequests.targetAccountId, tie.to))
}

function neitherBlocks({ from, to }: FollowPair) {
  return sql`not exists (select 1 from blocks where (account_id = ${from} and target_account_id = ${to})
    or (account_id = ${to} and target_account_id = ${from}))`
}

function countFollow(ctx: Ctx, { from, to }: FollowPair, by: 1 | -1, condition: ReturnType<typeof sql>) {
  return [
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`max(0, ${accounts.followersCount} + ${by})` })
      .where(and(eq(accounts.id, to), condition)),
    ctx.db
      .update(accounts)
      .set({ followingCount: sql`max(0, ${accounts.followingCount} + ${by})` })
      .where(and(eq(accounts.id, from), condition)),
  ]
}

/** What was undone must not stand in the list of notifications, and may notify again when it is repeated. */
function withdrawNotification(ctx: Ctx, { from, to }: FollowPair, type: NotificationType) {
  return ctx.db
    .delete(notifications)
    .where(
      and(
        eq(notifications.accountId, to),
        eq(notifications.type, type),
        eq(notifications.fromAccountId, from),
      ),
    )
}
