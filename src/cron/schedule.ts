import { type SQL, sql } from 'drizzle-orm'
import { execute, first } from '../db/query'
import { oneRow } from '../db/sql'
import type { Ctx, QueuedTask } from '../platform/ports'

/** A periodic task: does a bounded part of its work, every `everyMinutes` minutes, and may run twice. */
export interface Task {
  readonly name: string
  readonly everyMinutes: number
  /** D1 statements that a run issues at most, with those of the effects of what it commits. */
  readonly statements: number
  /**
   * Condition, of a few rows read, that holds while there is work. A task without one runs whenever its minute comes,
   * and does all its work in one run.
   */
  readonly isDue?: (ctx: Ctx) => SQL
  run(ctx: Ctx): Promise<void>
}

/** D1 statements of one tick at most. Those left over run as jobs, each in an invocation of its own. */
export const statementsPerTick = 30

/** Parts of a task that follow each other in the queue; the next tick begins anew. */
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
  const due = await findDue(ctx, tasks)
  let left = statementsPerTick - 2
  const mayContinue: Task[] = []
  for (const task of due.toSorted((a, b) => b.everyMinutes - a.everyMinutes)) {
    left -= task.statements
    if (left < 0) await queue(ctx, task)
    else if ((await attempt(ctx, task)) && task.isDue !== undefined) mayContinue.push(task)
  }
  if (mayContinue.length > 0) for (const task of await findDue(ctx, mayContinue)) await queue(ctx, task)
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
  if ((await attempt(ctx, task)) && task.isDue !== undefined && partsLeft > 1)
    for (const again of await findDue(ctx, [task])) await queue(ctx, again, partsLeft - 1)
  return true
}

/** Tasks without a condition, and those whose condition holds. At most one statement. */
async function findDue(ctx: Ctx, tasks: readonly Task[]): Promise<readonly Task[]> {
  const conditions = Object.fromEntries(
    tasks.flatMap(({ name, isDue }) =>
      isDue === undefined ? [] : [[name, sql<number>`(${isDue(ctx)})`.as(name)]],
    ),
  )
  if (Object.keys(conditions).length === 0) return tasks
  const found = await execute(ctx.db, first(ctx.db.select(conditions).from(oneRow)))
  return tasks.filter(({ name, isDue }) => isDue === undefined || found?.[name] === 1)
}

/** False where the task failed: the next tick tries it again. */
async function attempt(ctx: Ctx, task: Task): Promise<boolean> {
  try {
    await task.run(ctx)
    return true
  } catch (cause) {
    ctx.log.error('A periodic task failed', { task: task.name, cause })
    return false
  }
}

function queue(ctx: Ctx, task: Task, partsLeft = partsPerChain): Promise<void> {
  return ctx.jobs.send({ kind: 'run-task', task: task.name, partsLeft })
}
