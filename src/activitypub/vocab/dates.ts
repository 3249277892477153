const HOUR = 60 * 60 * 1000
// The time zones farthest ahead of UTC, read as UTC, and a clock that is two hours fast.
const MAX_AHEAD = 16 * HOUR

const form = /^\d{4}-\d\d-\d\d/

/** Parses an instant from 1970 on; null for invalid values. */
export function instantOf(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 64 || !form.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) || time < 0 ? null : new Date(time)
}

/** Parses an instant, capped at now: remote clocks may run fast. */
export function pastInstantOf(value: unknown, now: Date): Date | null {
  const instant = instantOf(value)
  return instant !== null && instant > now ? now : instant
}

/** Whether a date is further ahead than a wrong clock or time zone explains. */
export function liesAhead(value: unknown, now: Date): boolean {
  const instant = instantOf(value)
  return instant !== null && instant.getTime() > now.getTime() + MAX_AHEAD
}

const duration = /^PT?(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?$/

/** Seconds of an ISO 8601 duration without days; Funkwhale gives the number itself. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return value > 0 ? value : null
  const parts = typeof value === 'string' && value.length < 40 ? duration.exec(value) : null
  if (parts === null) return null
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || null
}
