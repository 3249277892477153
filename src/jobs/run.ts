import { acceptAllFollowRequests } from '../domain/relationships/accept-all'
import { sendLink } from '../domain/users/confirm'
import { sendApproval } from '../domain/users/members'
import { done, type Outcome, type RunJob } from './consumer'

/** The work behind each queue message. */
export const runJob: RunJob = async (ctx, job): Promise<Outcome> => {
  switch (job.kind) {
    case 'account.unlocked':
      await acceptAllFollowRequests(ctx, job.accountId)
      return done
    case 'mail.wanted': {
      const { accountId, purpose } = job
      const reason =
        purpose === 'approved' ? await sendApproval(ctx, accountId) : await sendLink(ctx, accountId, purpose)
      return reason === null ? done : { kind: 'ignored', reason }
    }
    default:
      return { kind: 'rejected', reason: `no queued work for ${job.kind}` }
  }
}
