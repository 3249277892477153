export const dayMilliseconds = 86_400_000

/** A stretch of the calendar as people write it: a day, a month or a year. Months count from 1. */
export interface CalendarSpan {
  readonly year: number
  readonly month: number | null
  readonly day: number | null
}

const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** Reads `2026-11-21`, `2026-11` or `2026`; null for what is none of them or not in the calendar. */
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

/** From its first instant up to the first one after it, in a time zone. */
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

/** Does the runtime know this time zone? Names come from clients. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (failure) {
    if (failure instanceof RangeError) return false
    throw failure
  }
}

/** The day as midnight UTC. Years before 100 would be taken for those of the last century. */
function firstDayOf({ year, month, day }: CalendarSpan): Date {
  const at = new Date(0)
  at.setUTCFullYear(year, (month ?? 1) - 1, day ?? 1)
  return at
}

function startOfDay(day: Date, timeZone: string): Date {
  const guess = day.getTime() - offsetAt(day, timeZone)
  // Where clocks change in between, the offset is that of the morning.
  return new Date(day.getTime() - offsetAt(new Date(guess), timeZone))
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', era: 'short' },
  }).formatToParts(at)
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
