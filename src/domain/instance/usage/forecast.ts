import { dayMilliseconds } from '../../../lib/days'

/** Forecast of a quota, if use continues as it did. */
export interface Expected {
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
