import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { activityWeeks } from '../../db/schema'
import { weekOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'

export type ActivityWeek = Omit<typeof activityWeeks.$inferSelect, 'days'>

const weeksShown = 12

/** Activity counts of the last twelve weeks, the current one first; weeks without activity are zero. */
export function recentWeeks(ctx: Ctx, now: Date): Query<ActivityWeek[]> {
  const current = weekOf(now)
  const { week, statuses, logins, registrations } = activityWeeks
  const found = rows(
    ctx.db
      .select({ week, statuses, logins, registrations })
      .from(activityWeeks)
      .where(sql`${activityWeeks.week} > ${current - weeksShown}`),
  )
  return map(found, (list) =>
    Array.from({ length: weeksShown }, (_, ago) => {
      const number = current - ago
      const none = { week: number, statuses: 0, logins: 0, registrations: 0 }
      return list.find((row) => row.week === number) ?? none
    }),
  )
}
