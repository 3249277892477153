import { dayText } from '../../lib/days'

/** Formats an instant for the API: ISO 8601, UTC, three fraction digits. */
export function timestamp(at: Date): string {
  return at.toISOString()
}

export function timestampOrNull(at: Date | null): string | null {
  return at === null ? null : timestamp(at)
}

/** Midnight UTC of an instant's day: accounts show the day they were created, not the minute. */
export function midnight(at: Date): string {
  return `${dayText(at)}T00:00:00.000Z`
}
