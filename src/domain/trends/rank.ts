const hour = 3_600_000

/** How one kind of thing trends, as in Mastodon. */
export interface TrendKind {
  /** A score halves in this time. */
  readonly halfLifeMilliseconds: number
  /** Below this score it trends no more. */
  readonly lowestScore: number
}

export const trendKinds = {
  tags: { halfLifeMilliseconds: 4 * hour, lowestScore: 1 },
  links: { halfLifeMilliseconds: 8 * hour, lowestScore: 1 },
  statuses: { halfLifeMilliseconds: 2 * hour, lowestScore: 0.3 },
} as const

/** Fewer people make no trend. */
export const fewestPeople = 5

/** How far `observed` is above what was to be expected; 0 where it is not, or where few take part. */
export function scoreOf(observed: number, expected: number): number {
  const usual = Math.max(1, expected)
  return observed < fewestPeople || observed <= usual ? 0 : (observed - usual) ** 2 / usual
}

/**
 * A number that orders like the scores at any time: what had `score` at `at` and decays since stands before another
 * exactly while its rank is higher. So nothing has to be written while scores decay.
 */
export function rankOf({ halfLifeMilliseconds }: TrendKind, score: number, at: Date): number {
  return Math.log2(score) + at.getTime() / halfLifeMilliseconds
}

/** The rank of what just trends still. */
export function lowestRank(kind: TrendKind, now: Date): number {
  return rankOf(kind, kind.lowestScore, now)
}
