import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query } from '../../db/query'
import { idempotencyKeys, scheduledStatuses } from '../../db/schema'
import type { AccountId, ScheduledId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Result of a create request: a published or a scheduled status. */
export type CreatedPost =
  | { readonly kind: 'status'; readonly id: StatusId }
  | { readonly kind: 'scheduled'; readonly id: ScheduledId }

/** Lifetime of an idempotency key. */
export const keyLifetimeMilliseconds = 3_600_000

/**
 * Finds what `author` created with this idempotency key within the last hour and has not deleted. `free` is the
 * guard that there is none.
 */
export function createdWithKey(
  ctx: Ctx,
  author: AccountId,
  key: string,
): { readonly query: Query<CreatedPost | null>; readonly free: SQL } {
  const since = ctx.clock.now().getTime() - keyLifetimeMilliseconds
  const posted = sql`${idempotencyKeys.accountId} = ${author} and ${idempotencyKeys.key} = ${key}
    and ${idempotencyKeys.createdAt} > ${since}
    and exists (select 1 from statuses where id = ${idempotencyKeys.statusId})`
  const waits = sql`${scheduledStatuses.accountId} = ${author} and ${scheduledStatuses.idempotencyKey} = ${key}
    and ${scheduledStatuses.createdAt} > ${since}`
  const found = combineQueries({
    status: first(ctx.db.select({ id: idempotencyKeys.statusId }).from(idempotencyKeys).where(posted)),
    scheduled: first(ctx.db.select({ id: scheduledStatuses.id }).from(scheduledStatuses).where(waits)),
  })
  return {
    query: map(found, ({ status, scheduled }) => {
      if (status !== null) return { kind: 'status', ...status }
      return scheduled === null ? null : { kind: 'scheduled', ...scheduled }
    }),
    free: sql`not exists (select 1 from ${idempotencyKeys} where ${posted})
      and not exists (select 1 from ${scheduledStatuses} where ${waits})`,
  }
}
