import { eq, type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query, rows } from '../../db/query'
import { cleanupPolicies } from '../../db/schema'
import { type AccountId, firstIdAt, type StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

export type CleanupRow = typeof cleanupPolicies.$inferSelect

/** Policy of an account; null if none was saved. One statement. */
export function cleanupPolicyOf(ctx: Ctx, account: AccountId): Query<CleanupRow | null> {
  return first(ctx.db.select().from(cleanupPolicies).where(eq(cleanupPolicies.accountId, account)))
}

/** Condition: a policy is due. Statuses of suspended accounts stay. Verbatim the partial index on policies. */
function isDue(now: Date): SQL {
  return sql`enabled = 1 and ${cleanupPolicies.dueAt} <= ${now.getTime()} and exists (
    select 1 from accounts a where a.id = ${cleanupPolicies.accountId} and a.suspended_at is null)`
}

/** Outbox size from which the server counts as busy with user requests: background work waits. */
const busyBacklog = 100

/** Condition: a policy is due, and the server is not busy. */
export const hasDueCleanups = ({ clock }: Ctx) => sql`(
  exists (select 1 from ${cleanupPolicies} where ${isDue(clock.now())})
  and not exists (select 1 from outbox ${limitTo(1)} offset ${sql.raw(String(busyBacklog - 1))}))`

/** The policy that is due longest. One statement. */
export function nextCleanup(ctx: Ctx, now: Date): Query<CleanupRow | null> {
  return first(
    ctx.db.select().from(cleanupPolicies).where(isDue(now)).orderBy(cleanupPolicies.dueAt).limit(1),
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
