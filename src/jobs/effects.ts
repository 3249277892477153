import { execute } from '../db/query'
import { isBackfillDue } from '../domain/accounts/backfill'
import { purgeAccount } from '../domain/cleanup/purge-account'
import { countTagUses } from '../domain/featured-tags/feature'
import { removeMediaOf } from '../domain/moderation/limit-effects'
import { followInviter } from '../domain/relationships/follow'
import { moveFollowers } from '../domain/relationships/move-followers'
import { acceptAllFollowRequests } from '../domain/relationships/requests'
import {
  backfillFeeds,
  backfillHomeByTag,
  rebuildListFeed,
  refillFeeds,
  refillHomeByTag,
  removeDomainFromFeeds,
  removeFromFeeds,
  removeTagFromHome,
} from '../domain/timelines/backfill'
import { isGivenUp } from '../domain/usage/store'
import { notifyStaffOfSignUp } from '../domain/users/warn'
import { queueWebhookDeliveries, type WebhookFact } from '../domain/webhooks/deliveries'
import type { NotificationId } from '../lib/ids'
import type { DomainEvent } from '../messages/events'
import type { Job } from '../messages/jobs'
import type { Ctx } from '../ports/ctx'

/** Runs the effects of an event, webhooks included. Every effect may run twice. */
export async function runEffects(ctx: Ctx, event: DomainEvent, id: number): Promise<void> {
  const fact = webhookFactOf(event)
  if (fact !== null) await queueWebhookDeliveries(ctx, { ...fact, sourceId: id })
  return runEffectsOfKind(ctx, event, id)
}

/** A kind without effects does not compile. */
async function runEffectsOfKind(ctx: Ctx, event: DomainEvent, id: number): Promise<void> {
  switch (event.kind) {
    case 'account.deleted':
    case 'account.updated':
    case 'block.created':
    case 'block.removed':
    case 'collection.created':
    case 'collection.updated':
    case 'collection.deleted':
    case 'collection.joined':
    case 'collection.left':
    case 'feature.requested':
    case 'feature.answered':
    case 'feature.revoked':
    case 'favourite.created':
    case 'favourite.removed':
    case 'favourite.requested':
    case 'follow.requested':
    case 'follow.rejected':
    case 'follow.withdrawn':
    case 'pin.created':
    case 'pin.removed':
    case 'poll.voted':
    case 'reaction.created':
    case 'reaction.removed':
    case 'approval.requested':
    case 'approval.answered':
    case 'quote.requested':
    case 'quote.answered':
    case 'quote.revoked':
    case 'reblog.created':
    case 'reblog.removed':
    case 'relay.left':
    case 'relay.requested':
    case 'report.forwarded':
    case 'status.created':
    case 'status.deleted':
    case 'status.updated':
    case 'tag.unfeatured':
      return ctx.delivery.federate(event, id)
    case 'tag.featured':
      await countTagUses(ctx, event.featuredId)
      return ctx.delivery.federate(event, id)
    case 'domain.blocked':
      await removeDomainFromFeeds(ctx, event.accountId, event.domain)
      return ctx.delivery.federate(event, id)
    case 'follow.created':
      await backfillFeeds(ctx, event.accountId, event.targetAccountId)
      if (await execute(ctx.db, isBackfillDue(ctx, event.targetAccountId)))
        await enqueueJob(ctx, { kind: 'backfill-account', accountId: event.targetAccountId })
      return ctx.delivery.federate(event, id)
    case 'follow.changed':
      return refillFeeds(ctx, event.accountId, event.targetAccountId)
    case 'follow.removed':
      await removeFromFeeds(ctx, event.accountId, event.targetAccountId)
      return ctx.delivery.federate(event, id)
    case 'account.left':
      return purgeAccount(ctx, event.accountId)
    case 'account.moved':
      await moveFollowers(ctx, event.accountId, event.targetAccountId)
      return ctx.delivery.federate(event, id)
    case 'account.unlocked':
      return acceptAllFollowRequests(ctx, event.accountId)
    case 'domain.limited':
      return removeMediaOf(ctx, event.domain)
    case 'list.changed':
      return rebuildListFeed(ctx, { ...event, ownerId: event.accountId })
    case 'tag.followed':
      return backfillHomeByTag(ctx, event.accountId, event.followId)
    case 'tag.unfollowed':
      return removeTagFromHome(ctx, event.accountId, event.tagId)
    case 'tag.changed':
      return refillHomeByTag(ctx, event.accountId, event.tagId)
    case 'member.joined':
      await notifyStaffOfSignUp(ctx, event.accountId)
      return followInviter(ctx, event.accountId)
    // For webhooks alone.
    case 'account.created':
    case 'report.created':
    case 'report.updated':
      return
  }
}

/** Delay of notification emails: notifications that are withdrawn or read meanwhile need none. */
const mailDelaySeconds = 120
const mailsPerJob = 8
/** A queue message holds some six times as many ids. */
const pushesPerJob = 1_000

/**
 * Enqueues a committed command: delayed or split where its kind requires that, or run at once where it is cheap. Backfill
 * near the end of a daily quota is dropped.
 */
export async function enqueueJob(ctx: Ctx, job: Job): Promise<void> {
  if (isGivenUp(ctx, job.kind)) return
  switch (job.kind) {
    // A single call for a thousand files: cheaper to run now than to queue.
    case 'delete-files':
      return ctx.files.delete(job.keys)
    case 'fetch-link-preview':
    case 'mail-terms':
      return ctx.jobs.send(job, { delaySeconds: job.delaySeconds })
    case 'send-notification-emails':
      return enqueueInBatches(job.notificationIds, mailsPerJob, (notificationIds) =>
        ctx.jobs.send({ ...job, notificationIds }, { delaySeconds: mailDelaySeconds }),
      )
    case 'send-push':
      return enqueueInBatches(job.notificationIds, pushesPerJob, (notificationIds) =>
        ctx.jobs.send({ ...job, notificationIds }),
      )
    default:
      return ctx.jobs.send(job)
  }
}

async function enqueueInBatches(
  ids: readonly NotificationId[],
  size: number,
  queue: (part: NotificationId[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += size) await queue(ids.slice(at, at + size))
}

/**
 * The event of webhooks that a fact is; null for the others. As in Mastodon an account counts as approved once its
 * address is confirmed as well, and a reblog is a status.
 */
function webhookFactOf(event: DomainEvent): Omit<WebhookFact, 'sourceId'> | null {
  switch (event.kind) {
    case 'account.created':
    case 'account.updated':
      return { event: event.kind, objectId: event.accountId }
    case 'member.joined':
      return { event: 'account.approved', objectId: event.accountId }
    case 'report.created':
    case 'report.updated':
      return { event: event.kind, objectId: event.reportId }
    case 'reblog.created':
      return { event: 'status.created', objectId: event.statusId }
    case 'status.created':
    case 'status.updated':
      return { event: event.kind, objectId: event.statusId }
    default:
      return null
  }
}
