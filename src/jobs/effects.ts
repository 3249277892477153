import { ask } from '../db/query'
import { wantsBackfill } from '../domain/accounts/find-backfill'
import { removeLeftovers } from '../domain/cleanup/leftovers'
import { removeMediaOf } from '../domain/moderation/limit-domain'
import { acceptAllFollowRequests } from '../domain/relationships/accept-all'
import { followInviter } from '../domain/relationships/follow-inviter'
import { moveFollowers } from '../domain/relationships/move-followers'
import { backfillFeeds, forgetDomainInFeeds, forgetInFeeds } from '../domain/timelines/refill'
import { settleList } from '../domain/timelines/settle-list'
import { clearHomeOfTag, fillHomeByTag } from '../domain/timelines/settle-tag'
import { tellStaffOf } from '../domain/users/tell-staff'
import type { DomainEvent } from '../messages/events'
import type { Ctx } from '../platform/ports'

/** The effects of each kind of fact, in one place; a kind without effects does not compile. Every effect may run twice. */
export async function runEffects(ctx: Ctx, event: DomainEvent, id: number): Promise<void> {
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
    case 'report.forwarded':
    case 'status.created':
    case 'status.deleted':
    case 'status.updated':
    case 'tag.featured':
    case 'tag.unfeatured':
      return ctx.delivery.tell(event, id)
    case 'domain.blocked':
      await forgetDomainInFeeds(ctx, event.accountId, event.domain)
      return ctx.delivery.tell(event, id)
    case 'follow.created':
      await backfillFeeds(ctx, event.accountId, event.targetAccountId)
      if (await ask(ctx.db, wantsBackfill(ctx, event.targetAccountId)))
        await ctx.jobs.send({ kind: 'backfill-account', accountId: event.targetAccountId })
      return ctx.delivery.tell(event, id)
    case 'follow.removed':
      await forgetInFeeds(ctx, event.accountId, event.targetAccountId)
      return ctx.delivery.tell(event, id)
    case 'account.left':
      return removeLeftovers(ctx, event.accountId)
    case 'account.moved':
      await moveFollowers(ctx, event.accountId, event.targetAccountId)
      return ctx.delivery.tell(event, id)
    case 'account.unlocked':
      return acceptAllFollowRequests(ctx, event.accountId)
    case 'domain.limited':
      return removeMediaOf(ctx, event.domain)
    case 'list.changed':
      return settleList(ctx, { ...event, ownerId: event.accountId })
    case 'tag.followed':
      return fillHomeByTag(ctx, event.accountId, event.followId)
    case 'tag.unfollowed':
      return clearHomeOfTag(ctx, event.accountId, event.tagId)
    case 'member.joined':
      await tellStaffOf(ctx, event.accountId)
      return followInviter(ctx, event.accountId)
  }
}
