/** Until when `Retry-After` asks to wait, seconds or a date: so long at most. Null for neither. */
export function parseRetryAfter(header: string | null, now: Date, longestMilliseconds: number): Date | null {
  if (header === null) return null
  const text = header.trim()
  const asked = /^\d{1,9}$/.test(text) ? now.getTime() + Number(text) * 1000 : Date.parse(text)
  if (Number.isNaN(asked) || asked <= now.getTime()) return null
  return new Date(Math.min(asked, now.getTime() + longestMilliseconds))
}
