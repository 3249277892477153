import type { AnnualStats } from '../../db/values'

/** What somebody did in a year, by kind. */
export interface ActivityCounts {
  readonly standalone: number
  readonly replies: number
  readonly reblogs: number
  readonly polls: number
}

/** Fewer in a year, and somebody mostly reads. */
const busyYear = 100

/** A playful word for how somebody spent a year here. Pure. */
export function archetypeOf({
  standalone,
  replies,
  reblogs,
  polls,
}: ActivityCounts): AnnualStats['archetype'] {
  if (standalone + replies + reblogs < busyYear) return 'lurker'
  if (reblogs > standalone * 2) return 'booster'
  if (polls > standalone / 10) return 'pollster'
  if (replies > standalone * 2) return 'replier'
  return 'oracle'
}
