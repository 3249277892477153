import {
  continueTask as continueReal,
  runDueTasks as runDueReal,
  runTasks as runReal,
} from '../../src/cron/schedule'
import { asInvocation } from './invocations'

/** A tick of the clock, as one invocation. */
export const runDueTasks: typeof runDueReal = (...given) => asInvocation('tick', () => runDueReal(...given))

export const runTasks: typeof runReal = (...given) => asInvocation('tick', () => runReal(...given))

export const continueTask: typeof continueReal = (ctx, tasks, queued) =>
  asInvocation(`task ${queued.task}`, () => continueReal(ctx, tasks, queued))
