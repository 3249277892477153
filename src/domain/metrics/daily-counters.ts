import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { preparedWriteShapes } from '../../db/prepared'
import {
  combineQueries,
  execute,
  first,
  jsonRows,
  limitTo,
  map,
  oneRow,
  type Query,
  rows,
} from '../../db/query'
import { activityWeeks, mediaBlocks, settings } from '../../db/schema'
import { dayMilliseconds, dayOf, weekOf } from '../../lib/days'
import type { ApplicationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

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

/** Servers looked at in one run: some four rows read for each, and some more for each row deleted. */
const serversPerRun = 100
const removedPerRun = 1_000
/** Days of activity that stay; blocks are made of the latest five. */
const keptActiveDays = 8
const removedActiveDays = 200

const placeKey = 'task.prune-days'

/** Position of a round: the last server done, empty at its end, and the latest day with news when the round began. */
const PruneProgress = z.object({ domain: z.string(), latest: z.number() })

const latestDay = sql<number>`(select coalesce(max(day), 0) from domain_days)`

/** Condition: a round through the servers is under way, or a day with news began since the last one. */
export const isDayPruneDue = () => sql`not exists (select 1 from settings
  where key = ${placeKey} and value ->> 'domain' = '' and value ->> 'latest' >= ${latestDay})`

/**
 * Cron: deletes rows of single days that lie in blocks by now (migration 0040): of a server all but the latest, which
 * holds its totals, and those from yesterday on, which are still counted; of activity all but the latest few. Servers
 * are gone through in order, some in a run.
 */
export async function pruneDays(ctx: Ctx): Promise<void> {
  const { domains, stored, latest } = await execute(
    ctx.db,
    combineQueries({
      domains: nextDomains(ctx),
      stored: first(
        ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, placeKey)),
      ),
      latest: map(first(ctx.db.select({ day: latestDay.as('day') }).from(oneRow)), (row) => row?.day ?? 0),
    }),
  )
  const progress = PruneProgress.safeParse(stored?.value)
  const isUnderWay = progress.success && progress.data.domain !== ''
  const value = {
    domain: domains.length < serversPerRun ? '' : (domains.at(-1) ?? ''),
    latest: isUnderWay ? progress.data.latest : latest,
  }
  const yesterday = dayOf(ctx.clock.now()) - 1
  const latestOf = sql`(select max(l.day) from domain_days l where l.domain = item.value)`
  const [removed = 0] = await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`delete from domain_days where (domain, day) in (
        select d.domain, d.day from ${jsonRows(domains)} cross join domain_days d
        where d.domain = item.value and d.day < min(${yesterday}, ${latestOf}) ${limitTo(removedPerRun)})`),
      ctx.db.run(sql`delete from active_days where day in (
        select day from active_days where day < (select day from active_days
          order by day desc limit 1 offset ${sql.raw(String(keptActiveDays - 1))})
        order by day ${limitTo(removedActiveDays)})`),
    ),
  )
  // With more to delete, the next run begins at the same servers.
  if (removed >= removedPerRun) return
  const save = ctx.db
    .insert(settings)
    .values({ key: placeKey, value, updatedAt: ctx.clock.now() })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
  await commit(ctx, new Changes().add(save))
}

/** The next servers: each step jumps to the next one in the index, so one row is read for each. */
function nextDomains(ctx: Ctx) {
  const place = sql`coalesce((select value ->> 'domain' from settings where key = ${placeKey}), '')`
  const servers = sql`(
    with recursive server(name) as (select min(domain) from domain_days where domain > ${place}
      union all
      select (select min(domain) from domain_days where domain > server.name) from server
      where server.name is not null ${limitTo(serversPerRun)})
    select name from server where name is not null) as servers`
  return map(rows(ctx.db.select({ name: sql<string>`servers.name`.as('name') }).from(servers)), (found) =>
    found.map(({ name }) => name),
  )
}
