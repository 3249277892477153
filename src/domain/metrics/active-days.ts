import { desc, sql } from 'drizzle-orm'
import * as z from 'zod'
import { both, combineQueries, map, type Query, rows } from '../../db/query'
import { activeBlocks, activeDays } from '../../db/schema'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { sketchEntry, sketchRegisters } from '../../lib/distinct-sketch'
import { type AccountId, instantOf } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import {
  blockOf,
  type DayCounts,
  type DayRange,
  dayStart,
  daysOf,
  loadDayCounts,
  type Period,
} from './daily-counters'

/** Retention is counted for this long after joining. */
const retentionLimits = { day: 31, month: 12 } as const

/** Months since January 1970, UTC. */
function monthOf(at: Date): number {
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
 * The days of a range with active accounts, oldest first, and the seed. A row is read for each block of 96 days,
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

export type RetentionFrequency = 'day' | 'month'

/** People who joined in a period, and how many of them were active then and later. */
export interface Cohort {
  readonly period: Date
  readonly frequency: RetentionFrequency
  readonly data: readonly {
    readonly date: Date
    /** Part of those who joined, from 0 to 1. */
    readonly rate: number
    readonly value: number
  }[]
}

/** Loads the cohorts of the days of a period, or of its months: of 31 days or twelve months at most, as in Mastodon. */
export function loadCohorts(
  ctx: Ctx,
  { first, last }: Period,
  frequency: RetentionFrequency,
): Query<Cohort[]> {
  const steps = frequency === 'day' ? daySteps(first, last) : monthSteps(first, last)
  const start = dayOf(steps[0]?.start ?? dayStart(last))
  const days = { first: start, last: dayOf(steps.at(-1)?.end ?? dayStart(last)) }
  const query = combineQueries({ active: loadActiveDays(ctx, days), counts: loadDayCounts(ctx, days) })
  return map(query, ({ active, counts }) => {
    const retained = new Map<string, number>()
    for (const day of active) {
      const period = frequency === 'day' ? day.day : monthOf(dayStart(day.day))
      for (const [cohort, users] of Object.entries(frequency === 'day' ? day.cohorts : day.monthCohorts))
        retained.set(`${cohort}/${period}`, (retained.get(`${cohort}/${period}`) ?? 0) + users)
    }
    return steps.map((cohort, at) => {
      const joined = joinedIn(counts.get('registrations'), cohort)
      return {
        period: cohort.start,
        frequency,
        data: steps.slice(at).map(({ start: date, number }) => {
          const value = retained.get(`${cohort.number}/${number}`) ?? 0
          return { date, value, rate: value / Math.max(1, joined) }
        }),
      }
    })
  })
}

interface Step {
  readonly number: number
  readonly start: Date
  /** Last day. */
  readonly end: Date
}

function daySteps(first: number, last: number): Step[] {
  return daysOf({ first: Math.max(first, last - retentionLimits.day), last }).map((day) => ({
    number: day,
    start: dayStart(day),
    end: dayStart(day),
  }))
}

function monthSteps(first: number, last: number): Step[] {
  const [from, to] = [monthOf(dayStart(first)), monthOf(dayStart(last))]
  return daysOf({ first: Math.max(from, to - retentionLimits.month), last: to }).map((month) => ({
    number: month,
    start: new Date(Date.UTC(1970, month)),
    end: new Date(Date.UTC(1970, month + 1, 0)),
  }))
}

function joinedIn(registrations: DayCounts | undefined, { start, end }: Step): number {
  return daysOf({ first: dayOf(start), last: dayOf(end) }).reduce(
    (sum, day) => sum + (registrations?.get(day) ?? 0),
    0,
  )
}
