import { and, eq, or, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { tombstones } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import { type AccountId, removedAuthorId, type StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** Local address of a status: its author's name and its id. */
export interface StatusAddress {
  readonly username: string
  readonly id: StatusId
}

/** A local status and its counters. */
export interface FederatedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly username: string
  readonly visibility: Visibility
  readonly favouritesCount: number
  readonly reblogsCount: number
}

/**
 * The status at a local address if `viewer` may see it and it is federated. Excludes reblogs, which are
 * activities. One statement.
 */
export function findFederatedStatus(
  ctx: Ctx,
  viewer: ViewerRef,
  { username, id }: StatusAddress,
): Query<FederatedStatus | null> {
  return first(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        accountId: sql<AccountId>`s.account_id`.as('account_id'),
        username: sql<string>`a.username`.as('username'),
        visibility: sql<Visibility>`s.visibility`.as('visibility'),
        favouritesCount: sql<number>`s.favourites_count`.as('favourites_count'),
        reblogsCount: sql<number>`s.reblogs_count`.as('reblogs_count'),
      })
      .from(sql`statuses s cross join accounts a`)
      .where(sql`s.id = ${id} and s.uri is null and s.reblog_of_id is null and s.local_only = 0
        and a.id = s.account_id and a.domain is null and lower(a.username) = ${username.toLowerCase()}
        and ${visibleTo(viewer)}`),
  )
}

/** First status of a conversation of this server, where it is still there. */
export interface ContextRoot {
  readonly id: StatusId
  readonly username: string
}

/**
 * The first status of the conversation `id` if it is public or unlisted, local and visible to `viewer`; 'deleted' where no
 * such status is stored, which its replies outlive; 'hidden' for any other. One statement.
 */
export function findContextRoot(
  ctx: Ctx,
  viewer: ViewerRef,
  id: StatusId,
): Query<ContextRoot | 'deleted' | 'hidden'> {
  const found = first(
    ctx.db
      .select({
        username: sql<string>`a.username`.as('username'),
        isServed: sql<number>`(s.uri is null and s.conversation_id = s.id and s.reblog_of_id is null
          and s.local_only = 0 and a.domain is null and s.visibility in ('public', 'unlisted') and ${visibleTo(viewer)})`.as(
          'is_served',
        ),
      })
      .from(sql`statuses s cross join accounts a`)
      .where(sql`s.id = ${id} and s.account_id <> ${removedAuthorId} and a.id = s.account_id`),
  )
  return map(found, (row) => {
    if (row === null) return 'deleted'
    return row.isServed === 1 ? { id, username: row.username } : 'hidden'
  })
}

/** A tombstone among these local addresses whose status was public or unlisted; null if none. */
export function tombstonesAmong(
  ctx: Ctx,
  uris: readonly string[],
): Query<{ readonly uri: string; readonly deletedAt: Date } | null> {
  // Conditions joined by `or`: members of an `in (…)` list are billed as rows read.
  return first(
    ctx.db
      .select({ uri: tombstones.uri, deletedAt: tombstones.deletedAt })
      .from(tombstones)
      .where(and(tombstones.published, or(...uris.map((uri) => eq(tombstones.uri, uri))))),
  )
}
