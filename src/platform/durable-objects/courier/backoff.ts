/** How long something that failed waits, by how often it has: about five days in all before it is too old. */
const gapMinutes = [1, 3, 8, 20, 60, 120, 240, 360] as const

const minute = 60_000

/** Older than this, nobody waits for it any more. */
export const maxAgeMilliseconds = 5 * 24 * 60 * minute

/** `Retry-After` may ask for much, and no server gets to switch itself off for good. */
export const maxRetryAfterMilliseconds = 24 * 60 * minute

/** When to try again after failure number `failures`, which counts from one. */
export function nextAttemptAt(now: Date, failures: number): Date {
  const minutes = gapMinutes[Math.min(failures, gapMinutes.length) - 1] ?? gapMinutes[0]
  return new Date(now.getTime() + minutes * minute)
}

/** How often in a row an inbox is not found before it counts as gone: an hour and a half, longer than a bad deploy. */
export const maxMissing = 6

/**
 * How long nothing is sent to an inbox that is gone, unless its server shows a sign of life. Deliveries that come
 * meanwhile are held: the one that answers a sign of life may be handed over before that sign is known, and a server
 * that was set up badly for a minute must not lose what comes after it.
 */
export const goneInboxMilliseconds = 24 * 60 * minute

/**
 * What a status says about a delivery.
 *
 * `unauthorized` (401): the peer cannot verify the signature now, for instance because it still applies a rotation of
 * our key: tried again like a failure. `doubted` (400, 403): final, unless only the form of the signature was not
 * liked. `missing` (404) becomes `gone` (410) when it goes on.
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

/** Reads the status of an answer. A redirected POST has not arrived, and is not followed. */
export function meaningOfStatus(status: number): ResponseMeaning {
  const known = meanings.get(status)
  if (known !== undefined) return known
  if (status >= 200 && status < 300) return 'accepted'
  return status >= 400 && status < 500 && !temporary.has(status) ? 'refused' : 'failed'
}

/**
 * Whether another signature may be what the peer wants. One that says 403 and is known to take signatures of this
 * scheme has refused the sender, not the signature: asking again only tells it twice.
 */
export function mayAcceptOtherSignature(status: number, schemeKnown: boolean): boolean {
  const reading = meaningOfStatus(status)
  return reading === 'unauthorized' || (reading === 'doubted' && !(status === 403 && schemeKnown))
}
