import { runJob } from '../../src/jobs/run-job'
import type { Job } from '../../src/messages/jobs'
import type { Overrides } from '../../src/platform/wire'
import { context, settleLateWork } from './test-app'

/** A queue that is a list: what was put there, and the work it asks for, done when told. */
export function fakeQueue(overrides: Overrides = {}) {
  const jobs: Job[] = []
  const ctx = context({ ...overrides, jobs: { send: async (job) => void jobs.push(job) } })
  return {
    jobs,
    ctx,
    /** Runs every job, and those that they queue, and returns the outcome of each. */
    async work() {
      const outcomes: string[] = []
      for (await settleLateWork(); jobs.length > 0; await settleLateWork())
        for (const job of jobs.splice(0)) outcomes.push((await runJob(ctx, job)).kind)
      return outcomes
    },
  }
}
