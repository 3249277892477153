import { type SQL, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import type { Job, LongTaskName } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'

interface Definition {
  /** Stored in messages, so it stays. */
  readonly name: LongTaskName
  /**
   * Select of the units left as `id`, the oldest first. The rows are the only state: a message names a unit, and can be
   * lost or delivered twice. Read by every tick that asks for work, so it needs an index.
   */
  readonly state: SQL
  /** D1 statements of one step at most. */
  readonly statements: number
  /** Processes the next part of a unit; true where nothing of it is left. May run twice, also at the same time. */
  readonly step: (ctx: Ctx, unit: number) => Promise<boolean>
}

/** Work on a row that is too much for one invocation. */
export interface LongTask {
  readonly name: LongTaskName
  /** Job that begins or continues work on a unit: added to the batch that makes it due. */
  readonly job: (unit: number) => Job
  /** Runs as many steps as this invocation has statements for, one at least, and queues the rest. */
  run(ctx: Ctx, unit: number): Promise<void>
  /** Periodic task that queues the oldest unit again, in case its message was lost. */
  readonly resumption: {
    readonly everyMinutes: number
    readonly statements: number
    readonly onlyQueues: true
    readonly isDue: () => SQL
    run(ctx: Ctx): Promise<void>
  }
}

/** Makes work on rows that is done in steps by jobs, and resumed by the tick. */
export function longTask({ name, state, statements, step }: Definition): LongTask {
  const job = (unit: number): Job => ({ kind: 'continue-long-task', task: name, unit })
  return {
    name,
    job,
    run: async (ctx, unit) => {
      do {
        if (await step(ctx, unit)) return
      } while (ctx.usage.statementsLeft() >= statements)
      await ctx.jobs.send(job(unit))
    },
    resumption: {
      everyMinutes: 60,
      statements: 1,
      onlyQueues: true,
      isDue: () => sql`exists (${state})`,
      run: async (ctx) => {
        const unit = await execute(ctx.db, findOldest(ctx, state))
        if (unit !== null) await ctx.jobs.send(job(unit))
      },
    },
  }
}

function findOldest(ctx: Ctx, state: SQL): Query<number | null> {
  const oldest = ctx.db.select({ id: sql<number>`unit.id`.as('id') }).from(sql`(${state} limit 1) unit`)
  return map(first(oldest), (row) => row?.id ?? null)
}
