import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { preparedWriteShapes } from '../../db/prepared'
import { map, type Query, rows } from '../../db/query'
import { activityWeeks, mediaBlocks } from '../../db/schema'
import { dayMilliseconds, dayOf, weekOf } from '../../lib/days'
import type { ApplicationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/**
 * Counters of single days, kept in the row of their week, so that what the week counts costs no row more. Those about
 * favourites and reports are kept by triggers (migration 0037).
 */
export type DailyCounter = 'statuses' | 'registrations' | 'interactions' | 'openedReports' | 'resolvedReports'

/** Sign-ups by an application are counted under its id, those on the pages of the server under 0. */
export function sourceCounter(applicationId: ApplicationId | null): `source/${number}` {
  return `source/${applicationId ?? 0}`
}

interface WeekIncrement {
  /** Column of the week that grows by one. */
  readonly weekly?: 'statuses' | 'registrations' | 'logins'
  /** Counters of the day and what is added to each. */
  readonly daily?: Partial<Readonly<Record<DailyCounter | `source/${number}`, number>>>
  /** Counts only if this holds when the statement runs. */
  readonly made?: SQL
}

/** Statement that counts something for the week and the day of `at`: one row written. */
export function incrementWeek(ctx: Ctx, at: Date, { weekly, daily = {}, made = sql`1` }: WeekIncrement) {
  const names = Object.entries(daily).map(([name, amount]) => [`${name}:${dayOf(at)}`, amount] as const)
  const by = weekly === undefined ? 0 : 1
  const created = names.map(([name, amount]) => sql`${name}, ${sql.raw(String(amount))}`)
  const changed = names.map(([name, amount]) => {
    const path = `$."${name}"`
    return sql`, ${path}, coalesce(days ->> ${path}, 0) + ${sql.raw(String(amount))}`
  })
  return addToWeek(
    ctx.db,
    { week: weekOf(at), by, made, created: sql.join(created, sql`, `), changed: sql.join(changed) },
    { counter: weekly ?? 'statuses' },
  )
}

const addToWeek = preparedWriteShapes(
  ['week', 'by', 'made', 'created', 'changed'],
  (_db, { week, by, made, created, changed }, { counter }: { readonly counter: string }) => {
    const column = sql.raw(counter)
    return sql`insert into ${activityWeeks} (week, ${column}, days)
      select ${week}, ${by}, json_object(${created}) where ${made}
      on conflict (week) do update set ${column} = ${column} + ${by}, days = json_set(days${changed})`
  },
)

/** An inclusive range of days since 1970. */
export interface DayRange {
  readonly first: number
  readonly last: number
}

/** A counter by day; days without an entry are zero. */
export type DayCounts = ReadonlyMap<number, number>

const Days = z.record(z.string(), z.number())

/** The counters of a range of days by name. One row is read for each week. */
export function loadDayCounts(ctx: Ctx, range: DayRange): Query<ReadonlyMap<string, DayCounts>> {
  const week = (day: number) => weekOf(new Date(day * dayMilliseconds))
  const found = ctx.db
    .select({ days: activityWeeks.days })
    .from(activityWeeks)
    .where(sql`${activityWeeks.week} between ${week(range.first)} and ${week(range.last)}`)
  return map(rows(found), (weeks) => {
    const counts = new Map<string, Map<number, number>>()
    for (const [key, amount] of weeks.flatMap(({ days }) => Object.entries(Days.parse(days)))) {
      const [name = '', day] = key.split(':')
      if (Number(day) < range.first || Number(day) > range.last) continue
      const counter = counts.get(name) ?? new Map<number, number>()
      counts.set(name, counter.set(Number(day), amount))
    }
    return counts
  })
}

/** Days of a block, as which figures are stored once their day is over. */
const blockDays = 96

export function blockOf(day: number): number {
  return Math.floor(day / blockDays)
}

/** Bytes of uploads, of all time and by day. One row is read for each 256 days. */
export interface MediaBytes {
  readonly total: number
  readonly days: DayCounts
}

export function loadMediaBytes(ctx: Ctx): Query<MediaBytes> {
  return map(rows(ctx.db.select().from(mediaBlocks)), (blocks) => ({
    total: blocks.reduce((sum, { bytes }) => sum + bytes, 0),
    days: new Map(
      blocks.flatMap(({ days }) =>
        Object.entries(Days.parse(JSON.parse(days))).map(([day, bytes]) => [Number(day), bytes] as const),
      ),
    ),
  }))
}

/** Sum of a counter, over a range or all of it. */
export function sumOf(counts: DayCounts | undefined, range?: DayRange): number {
  const { first, last } = range ?? { first: 0, last: Number.POSITIVE_INFINITY }
  return [...(counts ?? [])].reduce(
    (sum, [day, amount]) => (day >= first && day <= last ? sum + amount : sum),
    0,
  )
}

/** Days a figure is about: an inclusive range. */
export type Period = DayRange

/** Longest period, two years as in Mastodon. */
const longestDays = 731
const standardDays = 29

/**
 * The days from `start` to `end`, at most the last two years of them. Without an end the period lasts until today,
 * without a start it is of thirty days.
 */
export function periodOf(
  { start, end }: { readonly start?: Date | undefined; readonly end?: Date | undefined },
  now: Date,
): Period {
  const last = dayOf(end ?? now)
  const first = start === undefined ? last - standardDays : dayOf(start)
  return { first: Math.max(first, last - longestDays), last }
}

/** The period before, as long as this one; as in Mastodon, its last day is the first of this one. */
export function previousPeriod({ first, last }: Period): Period {
  return { first: 2 * first - last, last: first }
}

/** Every day of a period, oldest first. */
export function daysOf({ first, last }: Period): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** The first instant of a day. */
export function dayStart(day: number): Date {
  return new Date(day * dayMilliseconds)
}
