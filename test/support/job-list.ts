import type { Job, JobKind } from '../../src/messages/jobs'
import type { Ctx } from '../../src/ports/ctx'
import { runJob } from './run-job'
import { settleLateWork } from './test-app'

/** A queue that keeps jobs of one kind until a test runs them: one that waits already is not kept again. */
export function jobsOf<K extends JobKind>(kind: K) {
  type Kept = Extract<Job, { kind: K }>
  const isKept = (job: Job): job is Kept => job.kind === kind
  const waiting: Kept[] = []
  const keep = (job: Job) => {
    const isWaiting = waiting.some((one) => JSON.stringify(one) === JSON.stringify(job))
    if (isKept(job) && !isWaiting) waiting.push(job)
  }
  return {
    waiting,
    jobs: { send: async (job: Job) => keep(job) },
    /** Runs the jobs and those that they send, each so many times: the queue may repeat one. Returns how many there were. */
    runAll: async (ctx: Ctx, times = 1): Promise<number> => {
      await settleLateWork()
      let ran = 0
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        ran += 1
        for (let time = 0; time < times; time += 1) await runJob(ctx, job)
        await settleLateWork()
      }
      return ran
    },
  }
}
