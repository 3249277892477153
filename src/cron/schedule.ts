import { type SQL, sql } from 'drizzle-orm'
import type { PausableWork } from '../contract/usage'
import { execute, first, oneRow } from '../db/query'
import { clearTaskFailures, parseFailures, recordTaskFailure, taskFailures } from '../domain/health/task-runs'
import type { Ctx } from '../ports/ctx'
import type { QueuedTask } from '../ports/services'

/** A periodic task: does a bounded part of its work, every `everyMinutes` minutes, and may run twice. */
export interface Task {
  readonly name: string
  readonly everyMinutes: number
  /** D1 statements that a run issues at most, with those of the effects of what it commits. */
  readonly statements: number
  /** Work that is given up near the end of a daily quota, and this task with it. */
  readonly work?: PausableWork
  /**
   * Condition, of a few rows read, that holds while there is work. A task without one runs whenever its minute comes,
   * and does all its work in one run.
   */
  readonly isDue?: (ctx: Ctx) => SQL
  /** Queues jobs, which end what is due later: a run is not repeated before the next time. */
  readonly onlyQueues?: true
  run(ctx: Ctx): Promise<void>
}

/** D1 statements of one tick at most. Those left over run as jobs, each in an invocation of its own. */
export const statementsPerTick = 30

/** Parts of a task that follow each other in the queue; the next tick starts again. */
const partsPerChain = 60

/**
 * Runs the tasks whose minute is that of `at`, and which are due. Tasks of the same interval are spread over its
 * minutes.
 */
export function runDueTasks(ctx: Ctx, tasks: readonly Task[], at: Date): Promise<void> {
  const minute = Math.floor(at.getTime() / 60_000)
  return runTasks(
    ctx,
    tasks.filter(({ everyMinutes }, index) => (minute + index) % everyMinutes === 0),
  )
}

/**
 * Runs those of `tasks` that are due, the rarest first. One statement finds them; what exceeds the statements of a tick,
 * and what is still due afterwards, is queued. A failing task does not keep the others from running.
 */
export async function runTasks(ctx: Ctx, tasks: readonly Task[]): Promise<void> {
  const { due, failing } = await findDue(ctx, withoutPaused(ctx, tasks))
  let left = statementsPerTick - 2
  const mayContinue: Task[] = []
  for (const task of due.toSorted((a, b) => b.everyMinutes - a.everyMinutes)) {
    left -= task.statements
    if (left < 0) await queue(ctx, task)
    else if (await attempt(ctx, task)) {
      if (failing.has(task.name)) await record(ctx, task, clearTaskFailures)
      if (mayRepeat(task)) mayContinue.push(task)
    }
  }
  if (mayContinue.length === 0) return
  for (const task of (await findDue(ctx, mayContinue)).due) await queue(ctx, task)
}

/**
 * Runs the next part of a queued task, and queues it again while it is due and `partsLeft` is above 1. False where no
 * task has this name.
 */
export async function continueTask(
  ctx: Ctx,
  tasks: readonly Task[],
  { task: name, partsLeft }: QueuedTask,
): Promise<boolean> {
  const task = tasks.find((candidate) => candidate.name === name)
  if (task === undefined) return false
  if (withoutPaused(ctx, [task]).length === 0) return true
  if (!(await attempt(ctx, task))) return true
  const { due, failing } = await findDue(ctx, [task])
  if (failing.has(name)) await record(ctx, task, clearTaskFailures)
  if (!mayRepeat(task) || partsLeft <= 1) return true
  for (const again of due) await queue(ctx, again, partsLeft - 1)
  return true
}

function mayRepeat({ isDue, onlyQueues }: Task): boolean {
  return isDue !== undefined && onlyQueues !== true
}

function withoutPaused({ usage }: Ctx, tasks: readonly Task[]): readonly Task[] {
  const paused = usage.paused()
  return tasks.filter(({ work }) => work === undefined || !paused.includes(work))
}

interface Found {
  readonly due: readonly Task[]
  /** Names of tasks whose last run failed. */
  readonly failing: ReadonlySet<string>
}

/** Tasks without a condition, and those whose condition holds. At most one statement. */
async function findDue(ctx: Ctx, tasks: readonly Task[]): Promise<Found> {
  const conditions = Object.fromEntries(
    tasks.flatMap(({ name, isDue }) =>
      isDue === undefined ? [] : [[name, sql<number>`(${isDue(ctx)})`.as(name)]],
    ),
  )
  if (tasks.length === 0) return { due: [], failing: new Set() }
  const failures = sql<string | null>`${taskFailures}`.as('failures')
  const found = await execute(ctx.db, first(ctx.db.select({ failures, ...conditions }).from(oneRow)))
  const holds = new Map<string, unknown>(Object.entries(found ?? {}))
  return {
    due: tasks.filter(({ name, isDue }) => isDue === undefined || holds.get(name) === 1),
    failing: new Set(parseFailures(found?.failures ?? null).map(({ task }) => task)),
  }
}

/** False where the task failed: the next tick tries it again. */
async function attempt(ctx: Ctx, task: Task): Promise<boolean> {
  try {
    await task.run(ctx)
    return true
  } catch (cause) {
    ctx.log.error('A periodic task failed', { task: task.name, cause })
    await record(ctx, task, recordTaskFailure)
    return false
  }
}

/** Records a failure or its end. A database that takes no record must not keep the other tasks from running. */
async function record(
  ctx: Ctx,
  { name }: Task,
  write: (ctx: Ctx, task: string) => Promise<void>,
): Promise<void> {
  try {
    await write(ctx, name)
  } catch (cause) {
    ctx.log.error('The outcome of a periodic task was not recorded', { task: name, cause })
  }
}

function queue(ctx: Ctx, task: Task, partsLeft = partsPerChain): Promise<void> {
  return ctx.jobs.send({ kind: 'run-task', task: task.name, partsLeft })
}
