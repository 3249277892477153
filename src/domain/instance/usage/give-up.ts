import { QuotaSpent } from '../../../errors'
import { secondsUntilNextDay } from '../../../lib/days'
import type { PausableWork } from '../../../lib/usage/meter'
import type { Job, JobKind } from '../../../messages/jobs'
import type { Ctx } from '../../../ports/ctx'
import { ignored, type Outcome, retry } from '../../core/outcome'

/** Throws `QuotaSpent` where public timelines are given up for the rest of the day. */
export function assertQuotaForAnonymous({ usage, clock }: Ctx): void {
  if (usage.isPaused('publicTimelines')) throw new QuotaSpent(secondsUntilNextDay(clock.now()))
}

/** Jobs of work that is given up near the end of a daily quota. */
const pausableJobs: ReadonlyMap<JobKind, PausableWork> = new Map([
  ['backfill-account', 'backfill'],
  ['fetch-ancestors', 'backfill'],
  ['fetch-replies', 'backfill'],
  ['fetch-link-preview', 'previews'],
])

/** Longest delay of a message of the queue. */
const longestDelaySeconds = 12 * 3_600

/** Hour after midnight over which postponed jobs are spread. */
const spreadSeconds = 3_600

/**
 * Outcome of a job that is given up for the rest of the day, or null. Backfill is requested again at the next read of
 * the thread; previews wait for the next day.
 */
export function pausedOutcome(ctx: Ctx, job: Job): Outcome | null {
  const work = pausableJobs.get(job.kind)
  if (work === undefined || !ctx.usage.isPaused(work)) return null
  if (job.kind !== 'fetch-link-preview') return ignored(`${work} is given up until midnight`)
  const seconds = secondsUntilNextDay(ctx.clock.now()) + (job.statusId % spreadSeconds)
  return retry(Math.min(seconds, longestDelaySeconds))
}

/** Whether a job would be given up at once, so that queueing it were a waste. */
export function isGivenUp(ctx: Ctx, kind: JobKind): boolean {
  return pausableJobs.get(kind) === 'backfill' && ctx.usage.isPaused('backfill')
}
