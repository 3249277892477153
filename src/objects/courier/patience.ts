/** How long something that failed waits, by how often it has: about five days in all before it is too old. */
const gapMinutes = [1, 3, 8, 20, 60, 120, 240, 360] as const

const minute = 60_000

/** Older than this, nobody waits for it any more. */
export const longestWaitMilliseconds = 5 * 24 * 60 * minute

/** `Retry-After` may ask for much, and no server gets to switch itself off for good. */
export const longestHoldMilliseconds = 24 * 60 * minute

/** When to try again after failure number `failures`, which counts from one. */
export function nextTry(now: Date, failures: number): Date {
  const minutes = gapMinutes[Math.min(failures, gapMinutes.length) - 1] ?? gapMinutes[0]
  return new Date(now.getTime() + minutes * minute)
}

/** What a status says about a delivery. `doubted`: perhaps only the form of the signature was not liked. */
export type Reading = 'accepted' | 'doubted' | 'refused' | 'failed'

const temporary: ReadonlySet<number> = new Set([408, 425, 429])
const doubting: ReadonlySet<number> = new Set([400, 401, 403])

/** Reads the status of an answer. A redirected POST has not arrived, and is not followed. */
export function readStatus(status: number): Reading {
  if (status >= 200 && status < 300) return 'accepted'
  if (doubting.has(status)) return 'doubted'
  return status >= 400 && status < 500 && !temporary.has(status) ? 'refused' : 'failed'
}
