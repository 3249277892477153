import { dayMilliseconds, dayOf } from '../../lib/days'
import type { DayRange } from './daily-counters'

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
