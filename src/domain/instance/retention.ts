import { combineQueries, map, type Query } from '../../db/query'
import { dayOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { loadActiveDays, monthOf, retentionLimits } from './active-days'
import { type DayCounts, loadDayCounts } from './daily-counters'
import { dayStart, daysOf, type Period } from './metric-period'

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
