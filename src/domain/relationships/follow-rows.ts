import { and, eq, sql } from 'drizzle-orm'
import type { NotificationType } from '../../contract/notification-kinds'
import { accounts, endorsements, followRequests, follows, notifications } from '../../db/schema'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { DomainEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import { blockSql } from '../policy/block-predicates'
import { inboxIdOf } from '../policy/visibility'
import type { FollowRow } from './find'

/** Follower and followed account. */
export interface FollowPair {
  readonly from: AccountId
  readonly to: AccountId
}

/** Options of a follow; `languages` null means all. */
export interface FollowOptions {
  readonly showReblogs: boolean
  readonly notify: boolean
  readonly languages: readonly string[] | null
  /** Replies to others reach the home feed; those to the follower and to the account itself always do. */
  readonly showReplies: boolean
  /** At most one status a day reaches the home feed. */
  readonly fewer: boolean
}

export const defaultFollowOptions: FollowOptions = {
  showReblogs: true,
  notify: false,
  languages: null,
  showReplies: true,
  fewer: false,
}

/** The options of a follow or a request. */
export function followOptionsOf(row: FollowOptions): FollowOptions {
  const { showReblogs, notify, languages, showReplies, fewer } = row
  return { showReblogs, notify, languages, showReplies, fewer }
}

/** Id and activity id of a follow, where they are given already: by a request, or by a remote server. */
export interface FollowOrigin {
  readonly id?: number
  readonly uri?: string | null
}

/**
 * Adds a follow with its counters, notification and event. An existing follow stays as it is and counts once, also
 * when two requests race. Fails with `Forbidden` when a block was created meanwhile.
 */
export function addFollow(
  ctx: Ctx,
  changes: Changes,
  pair: FollowPair,
  options: FollowOptions & FollowOrigin,
): void {
  const { id = ctx.ids.next() } = options
  changes
    .require(neitherBlocks(pair), new Forbidden())
    .add(
      ctx.db
        .insert(follows)
        .values({
          ...pairColumns(pair),
          ...options,
          id,
          inboxId: inboxIdOf(pair.from),
          createdAt: ctx.clock.now(),
        })
        .onConflictDoNothing({ target: [follows.accountId, follows.targetAccountId] }),
      // Only the statement above can have made this id: the counters move exactly when it did.
      ...countFollow(ctx, pair, 1, sql`exists (select 1 from follows where id = ${id})`),
      ctx.db.delete(followRequests).where(isRequest(pair)),
      withdrawNotification(ctx, pair, 'follow_request'),
    )
    .emit({ kind: 'follow.created', accountId: pair.from, targetAccountId: pair.to })
  notify(ctx, changes, [{ to: pair.to, from: pair.from, type: 'follow', statusId: null }])
}

/** Adds a follow request with its notification. Does nothing where a request or a follow exists. */
export function addFollowRequest(
  ctx: Ctx,
  changes: Changes,
  pair: FollowPair,
  options: FollowOptions & FollowOrigin,
): void {
  const languages = options.languages === null ? null : JSON.stringify(options.languages)
  const { id = ctx.ids.next(), uri = null } = options
  changes.require(neitherBlocks(pair), new Forbidden()).add(
    ctx.db.run(sql`
        insert into ${followRequests} (id, account_id, target_account_id, show_reblogs, notify, languages, show_replies, fewer, uri, created_at)
        select ${id}, ${pair.from}, ${pair.to}, ${options.showReblogs ? 1 : 0},
          ${options.notify ? 1 : 0}, ${languages}, ${options.showReplies ? 1 : 0}, ${options.fewer ? 1 : 0}, ${uri}, ${ctx.clock.now().getTime()}
        where not exists (select 1 from follows where account_id = ${pair.from} and target_account_id = ${pair.to})
        on conflict (account_id, target_account_id) do nothing`),
  )
  notify(ctx, changes, [{ to: pair.to, from: pair.from, type: 'follow_request', statusId: null }])
}

/**
 * Removes a follow with its counters, its notification and the endorsement that depends on it. No effect where
 * there is none. The caller emits `follow.removed`: only it knows whether there was a follow.
 */
export function dropFollow(ctx: Ctx, changes: Changes, pair: FollowPair): void {
  const { from, to } = pair
  const isThere = sql`exists (select 1 from follows where account_id = ${from} and target_account_id = ${to})`
  changes.add(
    // Counters first: after the delete nothing shows whether the row existed.
    ...countFollow(ctx, pair, -1, isThere),
    ctx.db.delete(follows).where(isFollow(pair)),
    ctx.db
      .delete(endorsements)
      .where(and(eq(endorsements.accountId, from), eq(endorsements.targetAccountId, to))),
    withdrawNotification(ctx, pair, 'follow'),
  )
}

/** Event for a follow ended by `by`. */
export function followRemoved({ from, to }: FollowPair, row: FollowRow, by: AccountId): DomainEvent {
  return { kind: 'follow.removed', accountId: from, targetAccountId: to, by, followId: row.id, uri: row.uri }
}

/** Event for a follow request its sender withdrew. */
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

/** Event for a rejected follow request. */
export function followRejected({ from, to }: FollowPair, row: FollowRow, by: AccountId): DomainEvent {
  return { kind: 'follow.rejected', accountId: from, targetAccountId: to, by, followId: row.id, uri: row.uri }
}

/** Removes a follow request and its notification. */
export function dropFollowRequest(ctx: Ctx, changes: Changes, pair: FollowPair): void {
  changes.add(
    ctx.db.delete(followRequests).where(isRequest(pair)),
    withdrawNotification(ctx, pair, 'follow_request'),
  )
}

function pairColumns(pair: FollowPair) {
  return { accountId: pair.from, targetAccountId: pair.to }
}

export function isFollow(pair: FollowPair) {
  return and(eq(follows.accountId, pair.from), eq(follows.targetAccountId, pair.to))
}

export function isRequest(pair: FollowPair) {
  return and(eq(followRequests.accountId, pair.from), eq(followRequests.targetAccountId, pair.to))
}

/** Condition: neither account blocks the other. */
export function neitherBlocks({ from, to }: FollowPair) {
  return sql`not ${blockSql.blocksEither(from, to)}`
}

/** Statements that move both counters of a follow where `condition` holds. */
export function countFollow(
  ctx: Ctx,
  { from, to }: FollowPair,
  by: 1 | -1,
  condition: ReturnType<typeof sql>,
) {
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

/** Deletes the notification of an undone action; repeating the action notifies again. */
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
