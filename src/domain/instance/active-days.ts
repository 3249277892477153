import { sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { activeDays } from '../../db/schema'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { sketchEntry, sketchRegisters } from '../../lib/distinct-sketch'
import type { AccountId } from '../../lib/ids'
import { instantOf } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'
import type { DayRange } from './daily-counters'

/** Retention is counted for this long after joining. */
export const retentionLimits = { day: 31, month: 12 } as const

/** Months since January 1970, UTC. */
export function monthOf(at: Date): number {
  return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth()
}

/**
 * Statement that counts a user as active today, once a day: to be run before `users.last_active_at` is set. One row
 * written.
 */
export function countActiveDay(
  ctx: Ctx,
  { accountId, lastActiveAt }: { readonly accountId: AccountId; readonly lastActiveAt: Date | null },
) {
  const now = ctx.clock.now()
  const joined = instantOf(accountId)
  const [today, joinedOn] = [dayOf(now), dayOf(joined)]
  const { register, mark } = sketchEntry(accountId)
  const put = (sketch: string) =>
    sql.raw(`substr(${sketch}, 1, ${register}) || '${mark}' || substr(${sketch}, ${register + 2})`)
  const isNewMonth = lastActiveAt === null || monthOf(lastActiveAt) !== monthOf(now)
  const cohort = today - joinedOn <= retentionLimits.day ? joinedOn : null
  const monthCohort =
    isNewMonth && monthOf(now) - monthOf(joined) <= retentionLimits.month ? monthOf(joined) : null
  const first = (key: number | null) => (key === null ? '{}' : JSON.stringify({ [key]: 1 }))
  const more = (column: string, key: number | null) =>
    sql.raw(
      key === null
        ? column
        : `json_set(${column}, '$."${key}"', coalesce(${column} ->> '$."${key}"', 0) + 1)`,
    )
  return ctx.db.run(sql`insert into ${activeDays} (day, users, sketch, cohorts, month_cohorts)
    select ${today}, 1, ${put(`hex(zeroblob(${sketchRegisters / 2}))`)}, ${first(cohort)}, ${first(monthCohort)}
    where exists (select 1 from users where account_id = ${accountId}
      and coalesce(last_active_at, 0) < ${today * dayMilliseconds})
    on conflict (day) do update set users = users + 1,
      sketch = iif(substr(sketch, ${sql.raw(String(register + 1))}, 1) < ${mark}, ${put('sketch')}, sketch),
      cohorts = ${more('cohorts', cohort)}, month_cohorts = ${more('month_cohorts', monthCohort)}`)
}

export type ActiveDay = typeof activeDays.$inferSelect

/** The days of a range on which anybody was active, oldest first. */
export function loadActiveDays(ctx: Ctx, { first, last }: DayRange): Query<ActiveDay[]> {
  return rows(
    ctx.db
      .select()
      .from(activeDays)
      .where(sql`${activeDays.day} between ${first} and ${last}`)
      .orderBy(activeDays.day),
  )
}
