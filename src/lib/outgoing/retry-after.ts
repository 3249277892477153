/** Parses `Retry-After` (seconds or a date) to an instant, capped at `longestMilliseconds`. Null if invalid. */
export function parseRetryAfter(header: string | null, now: Date, longestMilliseconds: number): Date | null {
  if (header === null) return null
  const text = header.trim()
  const asked = /^\d{1,9}$/.test(text) ? now.getTime() + Number(text) * 1000 : Date.parse(text)
  if (Number.isNaN(asked) || asked <= now.getTime()) return null
  return new Date(Math.min(asked, now.getTime() + longestMilliseconds))
}
