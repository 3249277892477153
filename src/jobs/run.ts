import type { Outcome, RunJob } from './consumer'

/** The work behind each queue message. */
export const runJob: RunJob = async (_ctx, job): Promise<Outcome> => {
  return { kind: 'rejected', reason: `no queued work for ${job.kind}` }
}
