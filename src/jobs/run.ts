import { acceptAllFollowRequests } from '../domain/relationships/accept-all'
import { sendLink } from '../domain/users/confirm'
import { done, type Outcome, type RunJob } from './consumer'

/** The work behind each queue message. */
export const runJob: RunJob = async (ctx, job): Promise<Outcome> => {
  switch (job.kind) {
    case 'account.unlocked':
      await acceptAllFollowRequests(ctx, job.accountId)
      return done
    case 'mail.wanted': {
      const reason = await sendLink(ctx, job.accountId, job.purpose)
      return reason === null ? done : { kind: 'ignored', reason }
    }
    default:
      return { kind: 'rejected', reason: `no queued work for ${job.kind}` }
  }
}
