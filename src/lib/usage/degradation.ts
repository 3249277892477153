/**
 * Work that is given up for the rest of a day (UTC), in this order, once so much of one of its quotas is used. Members
 * read and post until the quota itself ends.
 *
 * - `imports`: archives are not imported.
 * - `backfill`: older posts, replies and ancestors are not fetched.
 * - `previews`: previews of links wait for the next day.
 * - `trends`: trends stay as they are.
 * - `publicTimelines`: public and hashtag timelines answer 503 to strangers.
 * - `inbox`: other servers get 503 for their activities, and deliver them again later.
 */
export const degradation = [
  ['imports', 0.7],
  ['backfill', 0.8],
  ['previews', 0.85],
  ['trends', 0.9],
  ['publicTimelines', 0.94],
  ['inbox', 0.97],
] as const satisfies readonly (readonly [string, number])[]

export type PausableWork = (typeof degradation)[number][0]

/** Work that is given up at a share of a daily quota, in the order in which it is given up. */
export function pausedAt(share: number): readonly PausableWork[] {
  return degradation.flatMap(([work, from]) => (share >= from ? [work] : []))
}
