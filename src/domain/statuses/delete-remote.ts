import { eq, type SQL, sql } from 'drizzle-orm'
import { statusCounting, statuses } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/**
 * Three statements that delete the remote statuses whose ids `part` selects, and leave the counts of their servers alone:
 * the caller lowers those for all of them at once. A trigger does it otherwise, at five rows read for each.
 */
export function deleteRemoteStatuses({ db }: Ctx, part: SQL) {
  return [
    db.update(statusCounting).set({ isPruning: 1 }).where(eq(statusCounting.id, 1)),
    db.delete(statuses).where(sql`id in (${part})`),
    db.update(statusCounting).set({ isPruning: 0 }).where(eq(statusCounting.id, 1)),
  ] as const
}
