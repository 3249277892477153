import { eq, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { cleanupPolicies } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import { firstIdAt } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'

export type CleanupRow = typeof cleanupPolicies.$inferSelect

/** The policy of an account; null while it never chose one. One statement. */
export function cleanupPolicyOf(ctx: Ctx, account: AccountId): Query<CleanupRow | null> {
  return first(ctx.db.select().from(cleanupPolicies).where(eq(cleanupPolicies.accountId, account)))
}

/** Policies whose turn it is, longest waiting first; what suspended people wrote stays as it is. One statement. */
export function dueCleanups(ctx: Ctx, now: Date, limit: number): Query<CleanupRow[]> {
  return rows(
    ctx.db
      .select()
      .from(cleanupPolicies)
      // Word for word as in the index of policies.
      .where(
        sql`enabled = 1 and ${cleanupPolicies.dueAt} <= ${now.getTime()} and exists (
          select 1 from accounts a where a.id = ${cleanupPolicies.accountId} and a.suspended_at is null)`,
      )
      .orderBy(cleanupPolicies.dueAt)
      .limit(limit),
  )
}

/** A status old enough to go, and whether it does. */
export interface CleanupCandidate {
  readonly id: StatusId
  readonly goes: boolean
}

/** The next old statuses of an account after where its round stands, oldest first, held against its policy. */
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

/** What the policy lets go, as a condition on `s`. A reblog is no post with marks, media or a poll of its own. */
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

/** Has the server more to tell others than it gets done? Then what can wait should. One statement. */
export function isBusy(ctx: Ctx, backlog: number): Query<boolean> {
  const found = first(
    ctx.db
      .select({ waiting: sql<number>`count(*)`.as('waiting') })
      .from(sql`(select 1 from outbox ${limitTo(backlog)})`),
  )
  return map(found, (row) => (row?.waiting ?? 0) >= backlog)
}
