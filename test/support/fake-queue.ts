import type { Job } from '../../src/messages/jobs'
import type { Overrides } from '../../src/wire'
import { runJob } from './run-job'
import { context, settleLateWork } from './test-app'

/** A queue that is a list: what was put there, and the work it asks for, done when told. */
export function fakeQueue(overrides: Overrides = {}) {
  const jobs: Job[] = []
  // Each job is an invocation of its own.
  const begin = () => context({ ...overrides, jobs: { send: async (job) => void jobs.push(job) } })
  return {
    jobs,
    ctx: begin(),
    /** Runs every job, and those that they queue, and returns the outcome of each. */
    async work() {
      const outcomes: string[] = []
      for (await settleLateWork(); jobs.length > 0; await settleLateWork())
        for (const job of jobs.splice(0)) outcomes.push((await runJob(begin(), job)).kind)
      return outcomes
    },
  }
}
