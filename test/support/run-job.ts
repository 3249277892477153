import type { RunJob } from '../../src/jobs/consumer'
import { consume as consumeReal, type QueuedMessage } from '../../src/jobs/consumer'
import { runJob as runReal } from '../../src/jobs/run-job'
import type { Ctx } from '../../src/ports/ctx'
import { asInvocation } from './invocations'

/** Runs a job as the only message of its batch: see the limits of `asInvocation`. */
export const runJob: RunJob = (ctx, job) => asInvocation(`job ${job.kind}`, () => runReal(ctx, job))

/** Runs a batch of messages, as one invocation. */
export function consume(ctx: Ctx, messages: readonly QueuedMessage[], run: RunJob): Promise<void> {
  return asInvocation('batch of messages', () => consumeReal(ctx, messages, run))
}
