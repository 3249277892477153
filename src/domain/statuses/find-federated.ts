import { and, eq, or, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { tombstones } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** A status by its address here: its author's name and its id. */
export interface StatusAddress {
  readonly username: string
  readonly id: StatusId
}

/** What hangs on a status of this server, in figures. */
export interface FederatedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly username: string
  readonly visibility: Visibility
  readonly favouritesCount: number
  readonly reblogsCount: number
}

/**
 * The status at an address of this server, as far as `viewer` may see it and other servers may know of it. No
 * reblogs: those are activities. One statement.
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

/** What of these addresses of this server was open to everybody and deleted, and when. */
export function tombstonesAmong(
  ctx: Ctx,
  uris: readonly string[],
): Query<{ readonly uri: string; readonly deletedAt: Date } | null> {
  // Each by itself: members of an `in (…)` list are billed as rows read.
  return first(
    ctx.db
      .select({ uri: tombstones.uri, deletedAt: tombstones.deletedAt })
      .from(tombstones)
      .where(and(tombstones.published, or(...uris.map((uri) => eq(tombstones.uri, uri))))),
  )
}
