import { generateReport } from '../domain/annual-reports/generate'
import { removeLeftovers } from '../domain/cleanup/leftovers'
import { receiveFeatureRequest } from '../domain/collections/receive-request'
import { endRefresh, refreshSubject } from '../domain/core/async-refreshes'
import { done, ignored, type Outcome, rejected } from '../domain/core/outcome'
import { refreshEmoji } from '../domain/custom-emojis/refresh'
import { receivePin } from '../domain/interactions/receive-pin'
import { storeFetchedReblog } from '../domain/interactions/receive-reblog'
import { previewLink } from '../domain/links/preview'
import { removeMediaOf } from '../domain/moderation/limit-domain'
import { continueSuspension } from '../domain/moderation/suspend-domain'
import { acceptAllFollowRequests } from '../domain/relationships/accept-all'
import { moveFollowers } from '../domain/relationships/move-followers'
import { synchronizeFollowers } from '../domain/relationships/synchronize'
import { receiveQuoteRequest } from '../domain/statuses/quotes/receive-quote'
import { reportFailed } from '../domain/statuses/scheduled/report-failed'
import { sendLink } from '../domain/users/confirm'
import { sendApproval } from '../domain/users/members'
import type { RunJob } from './consumer'
import { mailNotices } from './mail-notices'
import { pushAgain, pushNotifications } from './push'
import { runImport } from './run-import'

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
    case 'suspension.wanted':
      await continueSuspension(ctx, job.domain)
      return done
    case 'emoji.changed':
      await refreshEmoji(ctx, job)
      return done
    case 'followers.doubted': {
      const expected = await ctx.resolver.wholeCollection(job.url)
      if (expected === null) return ignored('the list of followers could not be had')
      await synchronizeFollowers(ctx, job.accountId, expected)
      return done
    }
    case 'hint.received':
      await ctx.resolver.recheck(job.uri)
      return done
    case 'link.seen':
      return previewLink(ctx, job.statusId)
    case 'import.wanted':
      return runImport(ctx, job.importId)
    case 'mail.wanted': {
      const { accountId, purpose } = job
      const reason =
        purpose === 'approved' ? await sendApproval(ctx, accountId) : await sendLink(ctx, accountId, purpose)
      return reason === null ? done : ignored(reason)
    }
    case 'notice.mail_wanted':
      return mailNotices(ctx, job.notificationIds)
    case 'schedule.failed': {
      const reason = await reportFailed(ctx, job)
      return reason === null ? done : ignored(reason)
    }
    case 'thread.wanted':
      await ctx.history.parentOf(job.statusId, job.levels)
      return done
    case 'replies.wanted':
      await endRefresh(
        ctx,
        refreshSubject.context(job.statusId),
        await ctx.history.repliesTo(job.statusId, job.levels),
      )
      return done
    case 'feature.asked': {
      const { accountId, ...request } = job
      if (!(await ctx.resolver.knowCollection(accountId, job.collectionUri)))
        return ignored('the collection cannot be had')
      return (
        (await receiveFeatureRequest(ctx, { id: accountId }, request)) ?? ignored('the collection is gone')
      )
    }
    case 'annual_report.wanted':
      await generateReport(ctx, job)
      return done
    case 'push.wanted':
      return pushNotifications(ctx, job)
    case 'push.failed':
      return pushAgain(ctx, job)
    case 'quote.unproven':
      await ctx.resolver.proveQuote(job.statusId)
      return done
    case 'quote.asked': {
      if ((await ctx.resolver.statusByUri(job.quotingUri)) === null)
        return ignored('what quotes cannot be had')
      const { accountId, ...request } = job
      const answered = await receiveQuoteRequest(ctx, { id: accountId }, request)
      if (answered !== null) return answered
      // Known before it quoted anything.
      await ctx.resolver.recheck(job.quotingUri)
      return (await receiveQuoteRequest(ctx, { id: accountId }, request)) ?? ignored('it quotes nothing')
    }
    case 'pin.wanted': {
      const { accountId, ...pin } = job
      if ((await ctx.resolver.statusByUri(pin.statusUri)) === null)
        return ignored('what is pinned cannot be had')
      return (await receivePin(ctx, { id: accountId }, pin)) ?? ignored('what is pinned has another address')
    }
    case 'reblog.wanted': {
      const statusId = await ctx.resolver.statusByUri(job.statusUri)
      if (statusId === null) return ignored('what is shared cannot be had')
      const { accountId, publishedAt, ...reblog } = job
      return storeFetchedReblog(
        ctx,
        { id: accountId },
        { ...reblog, publishedAt: new Date(publishedAt), statusId },
      )
    }
    case 'backfill.wanted':
      await ctx.history.postsOf(job.accountId)
      return done
    default:
      return rejected(`no queued work for ${job.kind}`)
  }
}
