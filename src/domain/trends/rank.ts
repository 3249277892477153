const hour = 3_600_000

/** Trend parameters of a kind, as in Mastodon. */
export interface TrendKind {
  /** Half-life of a score. */
  readonly halfLifeMilliseconds: number
  /** Minimum score to trend. */
  readonly lowestScore: number
}

export const trendKinds = {
  tags: { halfLifeMilliseconds: 4 * hour, lowestScore: 1 },
  links: { halfLifeMilliseconds: 8 * hour, lowestScore: 1 },
  statuses: { halfLifeMilliseconds: hour, lowestScore: 0.3 },
} as const

/** Excess of `observed` over the expected uses; 0 without one, or with fewer than `least`. */
export function scoreOf(observed: number, expected: number, least: number): number {
  const usual = Math.max(1, expected)
  return observed < least || observed <= usual ? 0 : (observed - usual) ** 2 / usual
}

/**
 * A rank that orders like the scores at any time: an item with `score` at `at` that decays since precedes another
 * exactly while its rank is higher. So no rows are written while scores decay.
 */
export function rankOf({ halfLifeMilliseconds }: TrendKind, score: number, at: Date): number {
  return Math.log2(score) + at.getTime() / halfLifeMilliseconds
}

/** The lowest rank that still trends. */
export function lowestRank(kind: TrendKind, now: Date): number {
  return rankOf(kind, kind.lowestScore, now)
}
