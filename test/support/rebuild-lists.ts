import { cachedLists, rebuildCachedList } from '../../src/domain/core/cached-lists'
import type { Job } from '../../src/messages/jobs'
import { runJob } from './run-job'
import { context } from './test-app'

/** Rebuilds the caches of all lists of a database, with the jobs that go on. */
export async function rebuildLists(db: D1Database): Promise<void> {
  const jobs: Job[] = []
  const ctx = () => context({ jobs: { send: async (job) => void jobs.push(job) } }, db)
  for (const name of cachedLists) await rebuildCachedList(ctx(), name)
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await runJob(ctx(), job)
}
