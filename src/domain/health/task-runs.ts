import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { taskRuns } from '../../db/schema'
import { restOfMinutes } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Name of the row of the cron itself; other rows are periodic tasks that fail, and the writes of `/health`. */
export const cronRow = 'cron'

/** Gap between two records of a run: one row written each. Ticks come every minute. */
const recordGapMilliseconds = restOfMinutes(5)

const Failures = z.array(z.object({ task: z.string(), since: z.number(), failures: z.number() }))

/** A periodic task whose latest runs failed. */
export interface FailingTask {
  readonly task: string
  /** First of the consecutive failures. */
  readonly since: Date
  readonly failures: number
}

/** Condition: the last recorded run of the cron is some minutes ago. */
export const isCronRecordDue = ({ clock }: Ctx) => sql`not exists (select 1 from task_runs
  where task = ${cronRow} and ran_at > ${clock.now().getTime() - recordGapMilliseconds})`

/** Cron: records that the cron runs. */
export async function recordCronRun(ctx: Ctx): Promise<void> {
  const ranAt = ctx.clock.now()
  const record = ctx.db
    .insert(taskRuns)
    .values({ task: cronRow, ranAt })
    .onConflictDoUpdate({ target: taskRuns.task, set: { ranAt } })
  await commit(ctx, new Changes().add(record))
}

/** SQL value: time of the last recorded run in milliseconds; null before the first. */
export const lastCronRun: SQL<number | null> = sql<number | null>`(select ran_at from task_runs
  where task = ${cronRow})`

/** SQL value: the failing tasks as JSON, for `parseFailures`. Reads a row for each, and one more. */
export const taskFailures: SQL<string | null> = sql<string | null>`(select json_group_array(json_object(
  'task', task, 'since', failing_since, 'failures', failures)) from task_runs where failing_since is not null)`

/** Failing tasks, those that have failed longest first. */
export function parseFailures(text: string | null): readonly FailingTask[] {
  if (text === null) return []
  return Failures.parse(JSON.parse(text))
    .map(({ task, since, failures }) => ({ task, since: new Date(since), failures }))
    .toSorted((a, b) => a.since.getTime() - b.since.getTime())
}

/** Counts a failure of a task. */
export async function recordTaskFailure(ctx: Ctx, task: string): Promise<void> {
  const ranAt = ctx.clock.now()
  const record = ctx.db
    .insert(taskRuns)
    .values({ task, ranAt, failingSince: ranAt, failures: 1 })
    .onConflictDoUpdate({ target: taskRuns.task, set: { ranAt, failures: sql`failures + 1` } })
  await commit(ctx, new Changes().add(record))
}

/** Forgets the failures of a task that ran. */
export async function clearTaskFailures(ctx: Ctx, task: string): Promise<void> {
  await commit(ctx, new Changes().add(ctx.db.delete(taskRuns).where(eq(taskRuns.task, task))))
}
