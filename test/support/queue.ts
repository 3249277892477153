import { runJob } from '../../src/jobs/run'
import type { Job } from '../../src/messages/jobs'
import { context, settled } from './world'

/** A queue that is a list: what was put there, and the work it asks for, done when told. */
export function queue() {
  const jobs: Job[] = []
  const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
  return {
    jobs,
    ctx,
    /** Does all jobs, and those that they put there, and answers what each came to. */
    async work() {
      const outcomes: string[] = []
      for (await settled(); jobs.length > 0; await settled())
        for (const job of jobs.splice(0)) outcomes.push((await runJob(ctx, job)).kind)
      return outcomes
    },
  }
}
