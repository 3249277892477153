import { removeMediaOf } from '../domain/instance/limit-domain'
import { done, ignored, type Outcome, rejected } from '../domain/outcome'
import { acceptAllFollowRequests } from '../domain/relationships/accept-all'
import { moveFollowers } from '../domain/relationships/move-followers'
import { removeLeftovers } from '../domain/statuses/leftovers'
import { sendLink } from '../domain/users/confirm'
import { sendApproval } from '../domain/users/members'
import type { RunJob } from './consumer'

/** The work behind each queue message. */
export const runJob: RunJob = async (ctx, job): Promise<Outcome> => {
  switch (job.kind) {
    case 'account.left':
      await removeLeftovers(ctx, job.accountId)
      return done
    case 'account.moved':
      await moveFollowers(ctx, job.accountId, job.targetAccountId)
      return done
    case 'account.unlocked':
      await acceptAllFollowRequests(ctx, job.accountId)
      return done
    case 'delivery.wanted':
      await ctx.delivery.tell(job.event, job.eventId, job.after)
      return done
    case 'domain.limited':
      await removeMediaOf(ctx, job.domain)
      return done
    case 'hint.received':
      await ctx.resolver.recheck(job.uri)
      return done
    case 'mail.wanted': {
      const { accountId, purpose } = job
      const reason =
        purpose === 'approved' ? await sendApproval(ctx, accountId) : await sendLink(ctx, accountId, purpose)
      return reason === null ? done : ignored(reason)
    }
    default:
      return rejected(`no queued work for ${job.kind}`)
  }
}
