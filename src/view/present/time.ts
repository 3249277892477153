/** An instant as the API writes it: UTC, three fraction digits. */
export function timestamp(at: Date): string {
  return at.toISOString()
}

export function timestampOrNull(at: Date | null): string | null {
  return at === null ? null : timestamp(at)
}

/** A day: YYYY-MM-DD, UTC. */
export function day(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The day of an instant as an instant: accounts tell the day they were made, not the minute. */
export function midnight(at: Date): string {
  return `${day(at)}T00:00:00.000Z`
}
