import { getTableColumns, sql } from 'drizzle-orm'
import type { PausableWork } from '../../contract/usage'
import { usageKinds } from '../../contract/usage'
import { all, execute, rows } from '../../db/query'
import { usageDays } from '../../db/schema'
import { QuotaSpent } from '../../errors'
import { secondsUntilNextDay } from '../../lib/days'
import type { Job, JobKind } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import type { UsageOfDay } from '../../ports/usage'
import { ignored, type Outcome, retry } from '../core/changes'
import { chosenPlan } from '../instance/settings'

/**
 * Adds the counts of this isolate to those of the day: one row written. Its statement returns what all isolates have
 * counted, so that this one knows how much of the day is left, and the plan that an administrator chose. A failure keeps the counts for the next time.
 */
export async function storeUsage(ctx: Ctx): Promise<void> {
  const taken = ctx.usage.take()
  try {
    const stored = await execute(ctx.db, all(taken.map((one) => rows(addToDay(ctx, one)))))
    for (const { day, plan, ...counts } of stored.flat()) {
      ctx.usage.recordStored(day, counts)
      ctx.usage.notePlan(plan)
    }
  } catch (cause) {
    ctx.usage.putBack(taken)
    ctx.log.error('Failed to store the usage of quotas', { cause })
  }
}

function addToDay(ctx: Ctx, { day, counts, databaseBytes }: UsageOfDay) {
  // Incoming messages of sockets count as parts of a call.
  const objectCalls = Math.ceil(counts.objectCalls)
  const summed = usageKinds.map((kind) => {
    const column = usageDays[kind]
    return [kind, sql`${column} + excluded.${sql.identifier(column.name)}`] as const
  })
  return ctx.db
    .insert(usageDays)
    .values({ ...counts, objectCalls, day, databaseBytes: databaseBytes ?? 0 })
    .onConflictDoUpdate({
      target: usageDays.day,
      set: {
        ...Object.fromEntries(summed),
        ...(databaseBytes === null ? {} : { databaseBytes }),
      },
    })
    .returning({ ...getTableColumns(usageDays), plan: chosenPlan.as('plan') })
}

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
