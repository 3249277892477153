/** Delays by number of failures: about five days in all before a delivery expires. */
const gapMinutes = [1, 3, 8, 20, 60, 120, 240, 360] as const

const minute = 60_000

/** Age at which a delivery expires. */
export const maxAgeMilliseconds = 5 * 24 * 60 * minute

/** Limit of `Retry-After`: no server gets to switch itself off for good. */
export const maxRetryAfterMilliseconds = 24 * 60 * minute

/** Time of the next attempt after failure number `failures`, which counts from one. */
export function nextAttemptAt(now: Date, failures: number): Date {
  const minutes = gapMinutes[Math.min(failures, gapMinutes.length) - 1] ?? gapMinutes[0]
  return new Date(now.getTime() + minutes * minute)
}

/** Consecutive 404s after which an inbox counts as gone: an hour and a half, longer than a bad deploy. */
export const maxMissing = 6

/**
 * Pause for an inbox that is gone, unless its server makes contact. Deliveries that arrive meanwhile are held: an
 * answer to that contact may be enqueued before the contact is recorded, and a server that was set up badly for a
 * minute must not lose later deliveries.
 */
export const goneInboxMilliseconds = 24 * 60 * minute

/**
 * Meaning of a response status for a delivery.
 *
 * `unauthorized` (401): the peer cannot verify the signature now, for instance because it still applies a rotation of
 * the local key: retried like a failure. `doubted` (400, 403): final, unless only the signature's form was rejected.
 * `missing` (404) becomes `gone` (410) when it persists.
 */
export type ResponseMeaning =
  | 'accepted'
  | 'unauthorized'
  | 'doubted'
  | 'missing'
  | 'gone'
  | 'refused'
  | 'failed'

const temporary: ReadonlySet<number> = new Set([408, 425, 429])

const meanings: ReadonlyMap<number, ResponseMeaning> = new Map([
  [400, 'doubted'],
  [401, 'unauthorized'],
  [403, 'doubted'],
  [404, 'missing'],
  [410, 'gone'],
])

/** Maps a response status. A redirected POST has not arrived, and is not followed. */
export function meaningOfStatus(status: number): ResponseMeaning {
  const known = meanings.get(status)
  if (known !== undefined) return known
  if (status >= 200 && status < 300) return 'accepted'
  return status >= 400 && status < 500 && !temporary.has(status) ? 'refused' : 'failed'
}

/**
 * Whether another signature variant may be accepted. A 403 from a peer known to accept this scheme refuses the
 * sender, not the signature: a second attempt would only repeat it.
 */
export function mayAcceptOtherSignature(status: number, schemeKnown: boolean): boolean {
  const reading = meaningOfStatus(status)
  return reading === 'unauthorized' || (reading === 'doubted' && !(status === 403 && schemeKnown))
}
