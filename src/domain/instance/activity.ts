import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { activityWeeks } from '../../db/schema'
import { weekOf } from '../../lib/weeks'
import type { Ctx } from '../../platform/ports'

export type ActivityWeek = typeof activityWeeks.$inferSelect

const weeksShown = 12

/** Activity counts of the last twelve weeks, the current one first; weeks without activity are zero. */
export function recentWeeks(ctx: Ctx, now: Date): Query<ActivityWeek[]> {
  const current = weekOf(now)
  const found = rows(
    ctx.db
      .select()
      .from(activityWeeks)
      .where(sql`${activityWeeks.week} > ${current - weeksShown}`),
  )
  return map(found, (list) =>
    Array.from({ length: weeksShown }, (_, ago) => {
      const week = current - ago
      return list.find((row) => row.week === week) ?? { week, statuses: 0, logins: 0, registrations: 0 }
    }),
  )
}
