import { gte, sql } from 'drizzle-orm'
import type { Plan } from '../../config'
import {
  type PausableWork,
  pausedAt,
  type Quota,
  quotasOf,
  shareOfDay,
  sumUsage,
  type UsageCounts,
} from '../../contract/usage'
import { metaOf } from '../../db/observed-binding'
import { combineQueries, execute, map, type Query, rawResults, rows } from '../../db/query'
import { usageDays } from '../../db/schema'
import { dayMilliseconds, dayOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { loadPlan } from '../instance/settings'
import { loadMediaBytes, type MediaBytes, sumOf } from '../metrics/daily-counters'

/** Use of a quota, with its forecast. */
export interface QuotaUsage extends Quota, Expected {
  readonly used: number
  /** Part of the limit that is used: 1 at the limit, more beyond. */
  readonly share: number
}

/** Usage of the platform as this server counts it: others on the same Cloudflare account use the same quotas. */
export interface Usage {
  readonly at: Date
  readonly plan: Plan
  /** Counts of today (UTC), those without a quota included. */
  readonly today: UsageCounts
  /** Counts of today that isolates have stored: known to each of them alike, so that later ones are never lower. */
  readonly storedToday: UsageCounts
  /** Midnight (UTC), at which the quotas of a day start again. */
  readonly resetsAt: Date
  /** Work that is given up until then, in the order in which it is given up. */
  readonly paused: readonly PausableWork[]
  readonly quotas: readonly QuotaUsage[]
}

/** Days whose growth is that which is expected to continue. */
const growthDays = 14

type StoredDay = typeof usageDays.$inferSelect

/** Usage of every quota with a forecast, in one round trip and some fifty rows. */
export function loadUsage(ctx: Ctx): Query<Usage> {
  const now = ctx.clock.now()
  const today = dayOf(now)
  const monthStart = dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)))
  const first = Math.min(monthStart, today - growthDays)
  const query = combineQueries({
    days: rows(ctx.db.select().from(usageDays).where(gte(usageDays.day, first)).orderBy(usageDays.day)),
    media: loadMediaBytes(ctx),
    plan: loadPlan(ctx),
    measured: rawResults([ctx.db.run(sql`select 1`)]),
  })
  return map(query, ({ days, media, plan, measured: [result] }) => {
    const known = new Map(days.map((day) => [day.day, day]))
    const stored = sumUsage(known.get(today) ?? {})
    const counts = sumUsage(stored, ctx.usage.unstored(today))
    return summarise(ctx, {
      plan,
      known,
      stored,
      counts,
      media,
      monthStart,
      databaseBytes: metaOf(result).size_after,
    })
  })
}

export function readUsage(ctx: Ctx): Promise<Usage> {
  return execute(ctx.db, loadUsage(ctx))
}

interface UsageFacts {
  readonly plan: Plan
  readonly known: ReadonlyMap<number, StoredDay>
  /** Counts of today that are stored, and those with what this isolate has not stored yet. */
  readonly stored: UsageCounts
  readonly counts: UsageCounts
  readonly media: MediaBytes
  /** First day of the month. */
  readonly monthStart: number
  readonly databaseBytes: number
}

function summarise(ctx: Ctx, facts: UsageFacts): Usage {
  const [now, { plan }] = [ctx.clock.now(), facts]
  const dailyLimits = ctx.config.dailyLimits[plan]
  return {
    at: now,
    plan,
    today: facts.counts,
    storedToday: facts.stored,
    resetsAt: new Date((dayOf(now) + 1) * dayMilliseconds),
    paused: pausedAt(shareOfDay(facts.counts, dailyLimits)),
    quotas: quotasOf(plan, dailyLimits).map((quota) => usageOfQuota(now, quota, facts)),
  }
}

function usageOfQuota(now: Date, quota: Quota, facts: UsageFacts): QuotaUsage {
  const { used, expected } = measure(now, quota, facts)
  return { ...quota, used, share: used / quota.limit, ...expected }
}

function measure(now: Date, quota: Quota, { known, counts, media, monthStart, databaseBytes }: UsageFacts) {
  const { name, limit } = quota
  const today = dayOf(now)
  if (name === 'databaseBytes') {
    const oldest = [...known.values()].find(
      ({ day, databaseBytes: bytes }) => day >= today - growthDays && day < today && bytes > 0,
    )
    const growth = oldest === undefined ? null : (databaseBytes - oldest.databaseBytes) / (today - oldest.day)
    return {
      used: databaseBytes,
      expected: expectOfStorage({ now, used: databaseBytes, limit, growth }),
    }
  }
  if (name === 'mediaBytes') {
    const used = media.total
    const growth = sumOf(media.days, { first: today - growthDays, last: today }) / growthDays
    return { used, expected: expectOfStorage({ now, used, limit, growth }) }
  }
  const earlier = [...known.values()].filter(({ day }) => day < today)
  const perDay = meanOf(earlier.filter(({ day }) => day >= today - 7).map((day) => day[name]))
  const ofMonth = earlier.filter(({ day }) => day >= monthStart).reduce((sum, day) => sum + day[name], 0)
  const used = counts[name] + (quota.period === 'month' ? ofMonth : 0)
  return {
    used,
    expected: expectOfPeriod({
      now,
      period: quota.period === 'month' ? 'month' : 'day',
      used,
      usedToday: counts[name],
      limit,
      perDay,
    }),
  }
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Forecast of a quota, if use continues as it did. */
interface Expected {
  /** Use at the end of its day or month, or in 30 days for what is stored; null where nothing is known yet. */
  readonly forecast: number | null
  /** Time at which the limit is reached; null where it is not, before the end of the period. */
  readonly fullAt: Date | null
}

/** Part of a day after which its own rate counts: the first minutes say little. */
const conclusivePart = 1 / 24

interface PeriodFacts {
  readonly now: Date
  readonly period: 'day' | 'month'
  readonly used: number
  readonly usedToday: number
  readonly limit: number
  /** Mean of the last days; null without any. */
  readonly perDay: number | null
}

/** The higher of today's rate and that of the last days continues until the end of the period. */
export function expectOfPeriod({ now, period, used, usedToday, limit, perDay }: PeriodFacts): Expected {
  const elapsed = (now.getTime() % dayMilliseconds) / dayMilliseconds
  const ofToday = elapsed >= conclusivePart ? usedToday / elapsed : null
  if (ofToday === null && perDay === null) return { forecast: null, fullAt: fullNow(now, used, limit) }
  const rate = Math.max(ofToday ?? 0, perDay ?? 0)
  const end =
    period === 'day'
      ? (Math.floor(now.getTime() / dayMilliseconds) + 1) * dayMilliseconds
      : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  const left = (end - now.getTime()) / dayMilliseconds
  const forecast = Math.round(used + rate * left)
  const at = now.getTime() + ((limit - used) / rate) * dayMilliseconds
  return { forecast, fullAt: fullNow(now, used, limit) ?? (forecast > limit ? new Date(at) : null) }
}

interface StorageFacts {
  readonly now: Date
  readonly used: number
  readonly limit: number
  /** Bytes of a day; null where too little is known. */
  readonly growth: number | null
}

const forecastDays = 30
/** Times beyond are no forecast. */
const longestDays = 3_650

export function expectOfStorage({ now, used, limit, growth }: StorageFacts): Expected {
  if (growth === null) return { forecast: null, fullAt: fullNow(now, used, limit) }
  const days = (limit - used) / growth
  const isReached = growth > 0 && days <= longestDays
  return {
    forecast: Math.max(0, Math.round(used + growth * forecastDays)),
    fullAt:
      fullNow(now, used, limit) ?? (isReached ? new Date(now.getTime() + days * dayMilliseconds) : null),
  }
}

function fullNow(now: Date, used: number, limit: number): Date | null {
  return used >= limit ? now : null
}
