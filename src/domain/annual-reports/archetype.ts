import type { AnnualStats } from '../../db/values'

/** Activity of an account in a year, by kind. */
export interface ActivityCounts {
  readonly standalone: number
  readonly replies: number
  readonly reblogs: number
  readonly polls: number
}

/** Statuses in a year below which the account mostly reads. */
const busyYear = 100

/** The archetype of an account's year. Pure. */
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
