import { desc, sql } from 'drizzle-orm'
import * as z from 'zod'
import { both, map, type Query, rows } from '../../db/query'
import { activeBlocks, activeDays } from '../../db/schema'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { sketchEntry, sketchRegisters } from '../../lib/distinct-sketch'
import { type AccountId, instantOf } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { blockOf, type DayRange } from './daily-counters'

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
  const locale = sql`(select replace(locale, '"', '') from users where account_id = ${accountId})`
  const first = (key: number | null) => (key === null ? '{}' : JSON.stringify({ [key]: 1 }))
  const more = (column: string, key: number | null) =>
    sql.raw(
      key === null
        ? column
        : `json_set(${column}, '$."${key}"', coalesce(${column} ->> '$."${key}"', 0) + 1)`,
    )
  const localePath = (day: number) => sql`'$."' || ${`${day}/`} || ${locale} || '"'`
  const moved = [
    sql`${localePath(today)}, 1 + coalesce(locales ->> (${localePath(today)}), 0)`,
    ...(lastActiveAt === null
      ? []
      : [
          sql`${localePath(dayOf(lastActiveAt))}, coalesce(locales ->> (${localePath(dayOf(lastActiveAt))}), 0) - 1`,
        ]),
  ]
  const firstMoved = [
    sql`${`${today}/`} || ${locale}, 1`,
    ...(lastActiveAt === null ? [] : [sql`${`${dayOf(lastActiveAt)}/`} || ${locale}, -1`]),
  ]
  return ctx.db.run(sql`insert into ${activeDays} (day, users, sketch, cohorts, month_cohorts, locales)
    select ${today}, 1, ${put(`hex(zeroblob(${sketchRegisters / 2}))`)}, ${first(cohort)}, ${first(monthCohort)},
      json_object(${sql.join(firstMoved, sql`, `)})
    where exists (select 1 from users where account_id = ${accountId}
      and coalesce(last_active_at, 0) < ${today * dayMilliseconds})
    on conflict (day) do update set users = users + 1,
      sketch = iif(substr(sketch, ${sql.raw(String(register + 1))}, 1) < ${mark}, ${put('sketch')}, sketch),
      cohorts = ${more('cohorts', cohort)}, month_cohorts = ${more('month_cohorts', monthCohort)},
      locales = json_set(locales, ${sql.join(moved, sql`, `)})`)
}

/** Figures of the users active on a day. */
export interface ActiveDay {
  readonly day: number
  readonly users: number
  readonly sketch: string
  readonly cohorts: Readonly<Record<string, number>>
  readonly monthCohorts: Readonly<Record<string, number>>
  readonly servers: Readonly<Record<string, number>>
  readonly locales: Readonly<Record<string, number>>
}

const Amounts = z.record(z.string(), z.number())
const PackedDays = z.record(z.string(), z.tuple([z.number(), z.string(), Amounts, Amounts, Amounts, Amounts]))

/** Block of the users who were there before languages were counted by day. */
export const seedBlock = -1

/** The latest days, which are in no block yet; one more than there are at most. */
const latestDays = 3

/**
 * The days of a range on which anybody was active, oldest first, and the seed. A row is read for each block of 96 days,
 * and three for the latest days.
 */
export function loadActiveDays(ctx: Ctx, range: DayRange): Query<ActiveDay[]> {
  const blocks = ctx.db
    .select()
    .from(activeBlocks)
    .where(
      sql`${activeBlocks.block} between ${blockOf(range.first)} and ${blockOf(range.last)}
        or ${activeBlocks.block} = ${seedBlock}`,
    )
  const latest = ctx.db.select().from(activeDays).orderBy(desc(activeDays.day)).limit(latestDays)
  return map(both(rows(blocks), rows(latest)), ([packed, unpacked]) => {
    const days = new Map<number, ActiveDay>()
    for (const { days: text } of packed)
      for (const [day, values] of Object.entries(PackedDays.parse(JSON.parse(text)))) {
        const [users, sketch, cohorts, monthCohorts, servers, locales] = values
        days.set(Number(day), { day: Number(day), users, sketch, cohorts, monthCohorts, servers, locales })
      }
    for (const day of unpacked) days.set(day.day, day)
    return [...days.values()]
      .filter(({ day }) => day === seedBlock || (day >= range.first && day <= range.last))
      .toSorted((a, b) => a.day - b.day)
  })
}
