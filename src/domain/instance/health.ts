import { sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { limitTo, oneRow } from '../../db/sql'
import { instantOf } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type FailingTask, lastCronRun, parseFailures, taskFailures } from './task-runs'

/** Entries of the outbox are counted up to here. */
const mostCounted = 100

/** Time after which a due entry of the outbox, or the last run of the cron, shows that the cron does not run. */
const overdueMilliseconds = 15 * 60_000

/** State of the work that happens apart from requests. */
export interface Health {
  readonly outbox: {
    /** Effects of committed events and commands that were not run yet, at most `mostCounted`. */
    readonly waiting: number
    readonly oldestAt: Date | null
    /** Earliest due time; null without entries. */
    readonly dueAt: Date | null
  }
  /** Null before the first run. */
  readonly lastCronRunAt: Date | null
  /** Time of the first account: a server whose cron never ran is judged from there. Null without accounts. */
  readonly openSince: Date | null
  readonly failingTasks: readonly FailingTask[]
}

/** Loads the state in one statement; `mostCounted` rows and a few more are read where the outbox is long. */
export function loadHealth(ctx: Ctx): Query<Health> {
  const oldest = sql`(select id, not_before from outbox order by id ${limitTo(mostCounted)})`
  const found = ctx.db
    .select({
      waiting: sql<number>`o.waiting`.as('waiting'),
      oldestId: sql<number | null>`o.oldest_id`.as('oldest_id'),
      dueAt: sql<number | null>`o.due_at`.as('due_at'),
      lastCronRun: lastCronRun.as('last_cron_run'),
      firstAccountId: sql<number | null>`(select min(account_id) from users)`.as('first_account_id'),
      failures: taskFailures.as('failures'),
    })
    .from(
      sql`${oneRow} cross join (select count(*) as waiting, min(id) as oldest_id, min(not_before) as due_at
        from ${oldest}) o`,
    )
  return map(first(found), (row) => ({
    outbox: {
      waiting: row?.waiting ?? 0,
      oldestAt: instantOfId(row?.oldestId),
      dueAt: dateOf(row?.dueAt),
    },
    lastCronRunAt: dateOf(row?.lastCronRun),
    openSince: instantOfId(row?.firstAccountId),
    failingTasks: parseFailures(row?.failures ?? null),
  }))
}

/** Causes for which a server is not well, in the words of `/health`. */
export const healthProblems = ['database', 'outbox', 'cron'] as const
export type HealthProblem = (typeof healthProblems)[number]

/**
 * Public problems. Entries that fail wait for their next attempt: only those without another attempt
 * are a problem of the server.
 */
export function problemsOf(
  { outbox, lastCronRunAt, openSince }: Health,
  now: Date,
): readonly HealthProblem[] {
  const isOverdue = (at: Date | null) => at !== null && now.getTime() - at.getTime() > overdueMilliseconds
  return [
    ...(isOverdue(outbox.dueAt) ? (['outbox'] as const) : []),
    ...(isOverdue(lastCronRunAt ?? openSince) ? (['cron'] as const) : []),
  ]
}

function dateOf(milliseconds: number | null | undefined): Date | null {
  return milliseconds == null ? null : new Date(milliseconds)
}

function instantOfId(id: number | null | undefined): Date | null {
  return id == null ? null : instantOf(id)
}
