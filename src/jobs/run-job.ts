import { execute } from '../db/query'
import { continueLocalDeletion } from '../domain/accounts/delete-own'
import { verifyLinks } from '../domain/accounts/update'
import { continueAnnouncementRemoval } from '../domain/announcements/change'
import { generateReport } from '../domain/annual-reports/generate'
import { purgeAccount } from '../domain/cleanup/purge-account'
import { continueImportRemoval } from '../domain/cleanup/remove-archive-import'
import { receiveFeatureRequest } from '../domain/collections/receive-request'
import { endRefresh, refreshSubject } from '../domain/core/async-refreshes'
import { rebuildCachedList } from '../domain/core/cached-lists'
import { done, ignored, type Outcome } from '../domain/core/changes'
import type { LongTask } from '../domain/core/long-task'
import { continueImport } from '../domain/custom-emojis/import'
import { refreshEmoji } from '../domain/custom-emojis/refresh'
import { countTagUses } from '../domain/featured-tags/feature'
import { receivePin } from '../domain/interactions/pin'
import { storeFetchedReblog } from '../domain/interactions/reblog'
import { previewLink } from '../domain/links/preview'
import { listRemoval } from '../domain/lists/remove-in-parts'
import { retireFiles, settleUploads } from '../domain/media/delete-files'
import { withheldKey } from '../domain/media/pictures'
import { continueStrike } from '../domain/moderation/act-on-statuses'
import { mailAppealDecision } from '../domain/moderation/appeal'
import { applyBlocklist } from '../domain/moderation/blocklists/apply'
import { fetchList } from '../domain/moderation/blocklists/fetch'
import { storeImport } from '../domain/moderation/blocklists/import-file'
import { continueDeciding } from '../domain/moderation/blocklists/review'
import { removeMediaOf } from '../domain/moderation/limit-effects'
import { continueRestoring } from '../domain/moderation/restore-follows'
import { endFollowsOfSuspended } from '../domain/moderation/suspend-account'
import { continueSuspension } from '../domain/moderation/suspend-domain'
import { settleFiles } from '../domain/moderation/withhold-files'
import { continueNotifications } from '../domain/notifications/change-in-parts'
import { continueNotifyingVoters } from '../domain/polls/close'
import { continueDomainBlock } from '../domain/relationships/domain-block'
import { moveFollowers } from '../domain/relationships/move-followers'
import { acceptAllFollowRequests } from '../domain/relationships/requests'
import { synchronizeFollowers } from '../domain/relationships/synchronize-followers'
import { isAcceptedRelay } from '../domain/relays/change'
import { copyEvidence } from '../domain/reports/copy-evidence'
import { buildArchive } from '../domain/statuses/archive-export/build-archive'
import { mailReadyArchive } from '../domain/statuses/archive-export/request-archive'
import { continueNotifyingOfEdit } from '../domain/statuses/notify-of-edit'
import { receiveQuoteRequest } from '../domain/statuses/quotes/receive-quote'
import { federateRemoval, statusRemoval } from '../domain/statuses/remove-in-parts'
import { notifyScheduledFailure } from '../domain/statuses/scheduled/schedule'
import { pausedOutcome } from '../domain/usage/store'
import { sendApproval } from '../domain/users/approval-mail'
import { sendLink } from '../domain/users/confirm'
import { mailTerms, mailTermsTo } from '../domain/users/mail-terms'
import { sendUnsentMail } from '../domain/users/unsent-mails'
import { sendAlert } from '../domain/webhooks/alerts/check'
import { mailDisabledWebhook } from '../domain/webhooks/find'
import type { Job, LongTaskName } from '../messages/jobs'
import type { Ctx } from '../ports/ctx'
import type { RunJob } from './consumer'
import { deliverWebhook } from './deliver-webhook'
import { runEntries } from './outbox'
import { runImport } from './run-import'
import { sendNotificationEmails } from './send-notification-emails'
import { pushNotifications, retryPush } from './send-push'

/** Runs a job, unless its work is given up near the end of a daily quota. */
export const runJob: RunJob = async (ctx, job): Promise<Outcome> => {
  const paused = pausedOutcome(ctx, job)
  if (paused === null) return runByKind(ctx, job)
  // A client may wait for its end.
  if (job.kind === 'fetch-replies') await endRefresh(ctx, refreshSubject.context(job.statusId), 0)
  return paused
}

const longTasks: Readonly<Record<LongTaskName, LongTask>> = {
  'remove-list': listRemoval,
  'remove-status': statusRemoval,
}

/** Fetches replies, and leaves those that one invocation has no statements for to another. */
async function fetchReplies(ctx: Ctx, job: Job & { readonly kind: 'fetch-replies' }): Promise<Outcome> {
  const { stored: more, rest } = await ctx.backfill.fetchReplies(job.statusId, job.levels, job.rest)
  const stored = (job.stored ?? 0) + more
  if (rest.length > 0) await ctx.jobs.send({ ...job, stored, rest: [...rest] })
  else await endRefresh(ctx, refreshSubject.context(job.statusId), stored)
  return done
}

/** Runs a job by its kind; a kind without a runner does not compile. */
const runByKind: RunJob = async (ctx, job): Promise<Outcome> => {
  switch (job.kind) {
    case 'purge-account-statuses':
      await purgeAccount(ctx, job.accountId)
      return done
    case 'move-followers':
      await moveFollowers(ctx, job.accountId, job.targetAccountId)
      return done
    case 'accept-follow-requests':
      await acceptAllFollowRequests(ctx, job.accountId)
      return done
    case 'continue-delivery':
      await ctx.delivery.federate(job.event, job.eventId, { after: job.after })
      return done
    case 'deliver-part':
      await ctx.delivery.federate(job.event, job.eventId, { inboxes: job.inboxes, digests: job.digests })
      return done
    case 'delete-domain-media':
      await removeMediaOf(ctx, job.domain)
      return done
    case 'continue-account-deletion':
      await continueLocalDeletion(ctx, job.accountId)
      return done
    case 'continue-announcement-removal':
      await continueAnnouncementRemoval(ctx, job.announcementId)
      return done
    case 'continue-domain-block':
      await continueDomainBlock(ctx, job)
      return done
    case 'remove-archive-import':
      await continueImportRemoval(ctx, job.importId)
      return done
    case 'verify-links':
      return verifyLinks(ctx, job.accountId)
    case 'continue-long-task':
      await longTasks[job.task].run(ctx, job.unit)
      return done
    case 'continue-notifications':
      await continueNotifications(ctx, job)
      return done
    case 'federate-removal':
      await federateRemoval(ctx, job)
      return done
    case 'continue-suspension':
      await continueSuspension(ctx, job.domain)
      return done
    case 'notify-of-edit':
      await continueNotifyingOfEdit(ctx, job)
      return done
    case 'notify-voters':
      await continueNotifyingVoters(ctx, job)
      return done
    case 'count-tag-uses':
      await countTagUses(ctx, job.featuredId)
      return done
    case 'apply-blocklist':
      await applyBlocklist(ctx, job.blocklistId)
      return done
    case 'decide-blocklist':
      await continueDeciding(ctx, job)
      return done
    case 'import-blocklist':
      return storeImport(ctx, job)
    case 'fetch-blocklist':
      return fetchList(ctx, job.blocklistId)
    case 'restore-follows':
      await continueRestoring(ctx, job)
      return done
    case 'end-follows-of-suspended':
      await endFollowsOfSuspended(ctx, job.accountId, job.eventId)
      return done
    case 'import-emojis':
      await continueImport(ctx, job)
      return done
    case 'rebuild-cached-list':
      await rebuildCachedList(ctx, job.list, job.build)
      return done
    case 'refresh-emoji':
      await refreshEmoji(ctx, job)
      return done
    case 'sync-followers': {
      const expected = await ctx.resolver.fetchWholeCollection(job.url)
      if (expected === null) return ignored('the followers list could not be fetched')
      await synchronizeFollowers(ctx, job.accountId, expected)
      return done
    }
    case 'refetch-object':
      await ctx.resolver.refetch(job.uri, job.hint)
      return done
    case 'fetch-link-preview':
      return previewLink(ctx, job.statusId, job.link)
    case 'run-effects':
      await runEntries(ctx, job.entryIds)
      return done
    case 'run-task':
      return (await ctx.tasks.continue(job)) ? done : ignored('no task has this name')
    case 'run-import':
      return runImport(ctx, job.importId)
    case 'mail-terms':
      return mailTerms(ctx, job)
    case 'mail-terms-to':
      return mailTermsTo(ctx, job)
    case 'send-account-email': {
      const { accountId, purpose } = job
      const reason =
        purpose === 'approved' ? await sendApproval(ctx, accountId) : await sendLink(ctx, accountId, purpose)
      return reason === null ? done : ignored(reason)
    }
    case 'send-alert':
      return sendAlert(ctx, job)
    case 'build-archive':
      return buildArchive(ctx, job)
    case 'send-archive-email': {
      const reason = await mailReadyArchive(ctx, job.archiveId)
      return reason === null ? done : ignored(reason)
    }
    case 'send-appeal-email': {
      const reason = await mailAppealDecision(ctx, job.appealId)
      return reason === null ? done : ignored(reason)
    }
    case 'send-webhook-email': {
      const reason = await mailDisabledWebhook(ctx, job)
      return reason === null ? done : ignored(reason)
    }
    case 'send-notification-emails':
      return sendNotificationEmails(ctx, job.notificationIds)
    case 'notify-scheduled-failure': {
      const reason = await notifyScheduledFailure(ctx, job)
      return reason === null ? done : ignored(reason)
    }
    case 'fetch-ancestors':
      await ctx.backfill.fetchParent(job.statusId, job.levels)
      return done
    case 'fetch-replies':
      return fetchReplies(ctx, job)
    case 'answer-feature-request': {
      const { accountId, ...request } = job
      if (!(await ctx.resolver.fetchCollection(accountId, job.collectionUri)))
        return ignored('the collection cannot be fetched')
      return (
        (await receiveFeatureRequest(ctx, { id: accountId }, request)) ?? ignored('the collection is gone')
      )
    }
    case 'generate-annual-report':
      await generateReport(ctx, job)
      return done
    case 'send-push':
      return pushNotifications(ctx, job)
    case 'retry-push':
      return retryPush(ctx, job)
    case 'verify-quote':
      await ctx.resolver.verifyQuote(job.statusId)
      return done
    case 'answer-quote-request': {
      if ((await ctx.resolver.statusByUri(job.quotingUri)) === null)
        return ignored('the quoting status cannot be fetched')
      const { accountId, ...request } = job
      const answered = await receiveQuoteRequest(ctx, { id: accountId }, request)
      if (answered !== null) return answered
      // Stored before it quoted the status.
      await ctx.resolver.refetch(job.quotingUri)
      return (await receiveQuoteRequest(ctx, { id: accountId }, request)) ?? ignored('it quotes no status')
    }
    case 'fetch-pinned-status': {
      const { accountId, ...pin } = job
      if ((await ctx.resolver.statusByUri(pin.statusUri)) === null)
        return ignored('the pinned status cannot be fetched')
      return (await receivePin(ctx, { id: accountId }, pin)) ?? ignored('the pinned status has another id')
    }
    case 'fetch-reblogged-status': {
      const statusId = await ctx.resolver.statusByUri(job.statusUri)
      if (statusId === null) return ignored('the reblogged status cannot be fetched')
      const { accountId, publishedAt, ...reblog } = job
      return storeFetchedReblog(
        ctx,
        { id: accountId },
        { ...reblog, publishedAt: new Date(publishedAt), statusId },
      )
    }
    case 'fetch-relayed-status':
      if (!(await execute(ctx.db, isAcceptedRelay(ctx, job.relayId))))
        return ignored('the relay was left meanwhile')
      return (await ctx.resolver.relayedStatus(job.statusUri)) === null
        ? ignored('the relayed status cannot be stored')
        : done
    case 'backfill-account': {
      const part = await ctx.backfill.backfillAccount(job.accountId, job.part)
      if (part !== null) await ctx.jobs.send({ ...job, part: { ...part, posts: [...part.posts] } })
      return done
    }
    case 'deliver-webhook':
      return deliverWebhook(ctx, job.deliveryId)
    case 'send-unsent-mail':
      return sendUnsentMail(ctx, job.mailId)
    case 'settle-files':
      await settleFiles(ctx, job.accountId, job.after)
      return done
    case 'settle-uploads':
      await settleUploads(ctx, job.statusId, job.after)
      return done
    case 'continue-strike':
      await continueStrike(ctx, job.strikeId, job.after)
      return done
    case 'copy-evidence':
      await copyEvidence(ctx, job)
      return done
    case 'retire-files':
      await retireFiles(ctx, job.keys)
      return done
    case 'delete-files':
      // Files of suspended accounts lie under other keys.
      await ctx.files.delete([...job.keys, ...job.keys.map(withheldKey)])
      return done
  }
}
