import type { Ctx } from '../platform/ports'

/** A periodic task: runs every `everyMinutes` minutes of the clock, and may run twice. */
export interface Task {
  readonly name: string
  readonly everyMinutes: number
  run(ctx: Ctx): Promise<void>
}

/** Runs the tasks due in the minute of `at`. A failing task does not keep the others from running. */
export async function runDueTasks(ctx: Ctx, tasks: readonly Task[], at: Date): Promise<void> {
  const minute = Math.floor(at.getTime() / 60_000)
  for (const task of tasks.filter(({ everyMinutes }) => minute % everyMinutes === 0)) {
    try {
      await task.run(ctx)
    } catch (cause) {
      ctx.log.error('A periodic task failed', { task: task.name, cause })
    }
  }
}
