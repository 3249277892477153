import { keptBy } from './kept-by'
export const dayMilliseconds = 86_400_000

/** Number of the day since 1970, UTC. */
export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / dayMilliseconds)
}

/** Day in UTC as YYYY-MM-DD. */
export function dayText(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Seconds until the next day begins in UTC: 1 at least. */
export function secondsUntilNextDay(at: Date): number {
  return Math.ceil((dayMilliseconds - (at.getTime() % dayMilliseconds)) / 1_000)
}

/** A day, a month or a year as people write it. Months count from 1. */
export interface CalendarSpan {
  readonly year: number
  readonly month: number | null
  readonly day: number | null
}

const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** Parses `2026-11-21`, `2026-11` or `2026`; null for anything else, and for dates not in the calendar. */
export function parseSpan(text: string): CalendarSpan | null {
  const [, year, month, day] = form.exec(text) ?? []
  if (year === undefined) return null
  const span = {
    year: Number(year),
    month: month === undefined ? null : Number(month),
    day: day === undefined ? null : Number(day),
  }
  const at = firstDayOf(span)
  const isReal = at.getUTCMonth() === (span.month ?? 1) - 1 && at.getUTCDate() === (span.day ?? 1)
  return isReal ? span : null
}

/** Bounds of a span in a time zone: its first instant, and the first one after it. */
export function boundsOfSpan(
  span: CalendarSpan,
  timeZone: string,
): { readonly from: Date; readonly until: Date } {
  const { year, month, day } = span
  const after =
    month === null
      ? { year: year + 1, month: 1, day: 1 }
      : day === null
        ? { year, month: month + 1, day: 1 }
        : { year, month, day: day + 1 }
  return { from: startOfDay(firstDayOf(span), timeZone), until: startOfDay(firstDayOf(after), timeZone) }
}

const known = keptBy<boolean>()

/** Whether the runtime knows this time zone. Names come from clients. */
export function isTimeZone(name: string): boolean {
  return known(name, () => hasFormat(name))
}

function hasFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch (failure) {
    if (failure instanceof RangeError) return false
    throw failure
  }
}

/** The first day as midnight UTC. `Date.UTC` maps years before 100 to the last century. */
function firstDayOf({ year, month, day }: CalendarSpan): Date {
  const at = new Date(0)
  at.setUTCFullYear(year, (month ?? 1) - 1, day ?? 1)
  return at
}

function startOfDay(day: Date, timeZone: string): Date {
  const guess = day.getTime() - offsetAt(day, timeZone)
  // If clocks change in between, the offset is that of the morning.
  return new Date(day.getTime() - offsetAt(new Date(guess), timeZone))
}

const clocks = keptBy<Intl.DateTimeFormat>()

/** Offset of a time zone from UTC, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  const make = () =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    })
  const parts = clocks(timeZone, make).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value ?? 0)
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(at.getTime() / 1_000) * 1_000
}

const week = 7 * dayMilliseconds
/** Weeks begin on Monday; the epoch was a Thursday. */
const offset = 3 * dayMilliseconds

/** The number of the week (Monday to Sunday, UTC) of an instant. */
export function weekOf(at: Date): number {
  return Math.floor((at.getTime() + offset) / week)
}

/** Start of a week. */
export function weekStart(number: number): Date {
  return new Date(number * week - offset)
}

const minuteMilliseconds = 60_000

/**
 * Milliseconds for which a periodic task rests that is to run again with the tick after `minutes`. Ticks come every
 * minute, give or take some seconds: a rest of whole minutes would lose each tick that comes sooner than the previous one.
 */
export function restOfMinutes(minutes: number): number {
  return minutes * minuteMilliseconds - minuteMilliseconds / 2
}
