import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { both, execute, first, limitTo, map, oneRow, type Query, rawResults } from '../../db/query'
import { taskRuns } from '../../db/schema'
import { AppError } from '../../errors'
import { instantOf } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { cronRow, type FailingTask, lastCronRun, parseFailures, taskFailures } from './task-runs'

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
const healthProblems = ['database', 'outbox', 'cron'] as const
export type HealthProblem = (typeof healthProblems)[number]

/**
 * Public problems. Entries that fail wait for their next attempt: only those without another attempt
 * are a problem of the server.
 */
function problemsOf({ outbox, lastCronRunAt, openSince }: Health, now: Date): readonly HealthProblem[] {
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

const patienceMilliseconds = 5_000
/** Monitors pass no flood gate, so an isolate keeps the last outcome for some seconds instead of asking again. */
const keptSeconds = { well: 5, ill: 1 }
const cacheKey = 'health'
const Problems = z.array(z.enum(healthProblems))

/** Outcome of a check of the server: its state, null where the database does not answer or refuses writes. */
export interface Checked {
  readonly health: Health | null
  readonly problems: readonly HealthProblem[]
}

/** Problems of the server, as found by this isolate in the last seconds, or now: the answer of `/health`. */
export async function findProblems(
  ctx: Ctx,
  patience = patienceMilliseconds,
): Promise<readonly HealthProblem[]> {
  if (wasWriteRefused(ctx)) return ['database']
  const kept = ctx.memory.get(cacheKey)
  if (kept !== null) return Problems.parse(JSON.parse(kept))
  const { problems } = await checkHealth(ctx, (query) => execute(ctx.db, query), patience)
  ctx.memory.set(cacheKey, JSON.stringify(problems), keptSeconds[problems.length === 0 ? 'well' : 'ill'])
  return problems
}

/**
 * Loads the state, and checks that the database takes writes, in one round trip. `run` runs the query, and may refuse
 * the caller.
 */
export async function checkHealth(
  ctx: Ctx,
  run: (query: Query<Health>) => Promise<Health>,
  patience = patienceMilliseconds,
): Promise<Checked> {
  const isRefused = wasWriteRefused(ctx)
  const query = isRefused
    ? loadHealth(ctx)
    : map(both(loadHealth(ctx), probeWrites(ctx)), ([health]) => health)
  const health = await loadInTime(ctx, query, run, patience)
  if (isRefused || health === null) return { health, problems: ['database'] }
  clearRefusedWrite(ctx)
  return { health, problems: problemsOf(health, ctx.clock.now()) }
}

/** Runs a query; null where the database does not answer within `patience` milliseconds. Refusals are thrown. */
async function loadInTime<T>(
  ctx: Ctx,
  query: Query<T>,
  run: (query: Query<T>) => Promise<T>,
  patience: number,
): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patience} ms`)), patience)
  })
  try {
    return await Promise.race([run(query), late])
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    ctx.log.error('The database does not answer, or takes no writes', { cause })
    return null
  } finally {
    clearTimeout(timer)
  }
}

const memoryKey = 'refused write'
/** Row of the writes that `/health` makes. */
const probeRow = 'health'
const lastingMilliseconds = 60_000
const probeGapMilliseconds = 5 * 60_000
/** After a refusal the next check writes, however recent the last write is: kept until one has succeeded. */
const refusalKeptSeconds = 3_600

type Noted = Pick<Ctx, 'memory' | 'clock'>

/** Notes in this isolate that the database refused a write, see `isRefusedWrite`. */
export function noteRefusedWrite({ memory, clock }: Noted): void {
  memory.set(memoryKey, String(clock.now().getTime()), refusalKeptSeconds)
}

/** Forgets refusals: a write has succeeded since. */
function clearRefusedWrite({ memory }: Noted): void {
  memory.delete(memoryKey)
}

/** Whether the database refused a write of this isolate in the last minute. */
export function wasWriteRefused({ memory, clock }: Noted): boolean {
  const refusedAt = memory.get(memoryKey)
  return refusedAt !== null && clock.now().getTime() - Number(refusedAt) < lastingMilliseconds
}

/**
 * Writes a row if nothing proves that the database takes writes: neither the cron nor this write was recorded in the
 * last five minutes, or this isolate was refused one since. So all who ask together cause one row in five minutes.
 */
function probeWrites(ctx: Ctx): Query<unknown> {
  const now = ctx.clock.now().getTime()
  const isRecent = sql`exists (select 1 from ${taskRuns} where task in (${cronRow}, ${probeRow})
    and ran_at > ${now - probeGapMilliseconds})`
  const isDue = ctx.memory.get(memoryKey) === null ? sql`not ${isRecent}` : sql`true`
  const probe =
    ctx.db.run(sql`insert into ${taskRuns} (task, ran_at) select ${probeRow}, ${now} where ${isDue}
    on conflict (task) do update set ran_at = excluded.ran_at`)
  return rawResults([probe])
}
