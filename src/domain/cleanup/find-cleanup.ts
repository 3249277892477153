import { eq, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { cleanupPolicies } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import { firstIdAt } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'

export type CleanupRow = typeof cleanupPolicies.$inferSelect

/** Policy of an account; null if none was saved. One statement. */
export function cleanupPolicyOf(ctx: Ctx, account: AccountId): Query<CleanupRow | null> {
  return first(ctx.db.select().from(cleanupPolicies).where(eq(cleanupPolicies.accountId, account)))
}

/** Due policies, longest waiting first; statuses of suspended accounts stay. One statement. */
export function dueCleanups(ctx: Ctx, now: Date, limit: number): Query<CleanupRow[]> {
  return rows(
    ctx.db
      .select()
      .from(cleanupPolicies)
      // Verbatim as in the partial index on policies, or SQLite does not use it.
      .where(
        sql`enabled = 1 and ${cleanupPolicies.dueAt} <= ${now.getTime()} and exists (
          select 1 from accounts a where a.id = ${cleanupPolicies.accountId} and a.suspended_at is null)`,
      )
      .orderBy(cleanupPolicies.dueAt)
      .limit(limit),
  )
}

/** Status old enough for cleanup, and whether the policy deletes it. */
export interface CleanupCandidate {
  readonly id: StatusId
  readonly goes: boolean
}

/**
 * Next old statuses of an account after the current position of its round, oldest first, matched against its
 * policy.
 */
export function oldStatuses(
  ctx: Ctx,
  policy: CleanupRow,
  at: { now: Date; limit: number },
): Query<CleanupCandidate[]> {
  const youngest = firstIdAt(new Date(at.now.getTime() - policy.minAgeSeconds * 1000))
  const found = rows(
    ctx.db
      .select({ id: sql<StatusId>`s.id`.as('id'), goes: sql<number>`(${isDeletable(policy)})`.as('goes') })
      .from(sql`statuses s`)
      .where(
        sql`s.account_id = ${policy.accountId} and s.id > ${policy.place} and s.id < ${youngest}
          order by s.id ${limitTo(at.limit)}`,
      ),
  )
  return map(found, (all) => all.map((row) => ({ id: row.id, goes: row.goes === 1 })))
}

/** Condition on `s`: deleted by the policy. A reblog has no interactions, media or poll of its own. */
function isDeletable(policy: CleanupRow): SQL {
  const { minFavourites, minReblogs } = policy
  const marked = (table: 'bookmarks' | 'favourites') =>
    sql.raw(`exists (select 1 from ${table} m where m.status_id = s.id and m.account_id = s.account_id)`)
  return sql.join(
    [
      sql`1`,
      ...(policy.keepDirect ? [sql`s.visibility <> 'direct'`] : []),
      ...(policy.keepPinned ? [sql`not exists (select 1 from status_pins p where p.status_id = s.id)`] : []),
      ...(policy.keepPolls ? [sql`s.poll_id is null`] : []),
      ...(policy.keepMedia ? [sql`s.attachments = '[]'`] : []),
      ...(policy.keepOwnFavourites ? [sql`not ${marked('favourites')}`] : []),
      ...(policy.keepOwnBookmarks ? [sql`not ${marked('bookmarks')}`] : []),
      ...(minFavourites === null ? [] : [sql`s.favourites_count < ${minFavourites}`]),
      ...(minReblogs === null ? [] : [sql`s.reblogs_count < ${minReblogs}`]),
    ],
    sql` and `,
  )
}

/** Whether the outbox backlog is so long that background work should wait. One statement. */
export function isBusy(ctx: Ctx, backlog: number): Query<boolean> {
  const found = first(
    ctx.db
      .select({ waiting: sql<number>`count(*)`.as('waiting') })
      .from(sql`(select 1 from outbox ${limitTo(backlog)})`),
  )
  return map(found, (row) => (row?.waiting ?? 0) >= backlog)
}
