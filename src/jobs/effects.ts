import type { Ctx, OutboxEntry } from '../context'
import { removeMediaOf } from '../domain/instance/limit-domain'
import { acceptAllFollowRequests } from '../domain/relationships/accept-all'
import { followInviter } from '../domain/relationships/follow-inviter'
import { backfillHome, forgetDomainInHome, forgetInHome } from '../domain/timelines/feed'

/** What happens after each event: the one answer, on one screen. Every effect may run twice. */
export async function runEffects(ctx: Ctx, { id, event }: OutboxEntry): Promise<void> {
  switch (event.kind) {
    case 'account.unlocked':
      return acceptAllFollowRequests(ctx, event.accountId)
    case 'domain.blocked':
      return forgetDomainInHome(ctx, event.accountId, event.domain)
    case 'domain.limited':
      return removeMediaOf(ctx, event.domain)
    case 'follow.created':
      return backfillHome(ctx, event.accountId, event.targetAccountId)
    case 'follow.rejected':
    case 'follow.requested':
      return ctx.delivery.tell(event, id)
    case 'follow.removed':
      return forgetInHome(ctx, event.accountId, event.targetAccountId)
    case 'files.unused':
      return ctx.files.delete(event.keys)
    case 'hint.received':
    case 'mail.wanted':
    case 'thread.wanted':
    case 'replies.wanted':
    case 'backfill.wanted':
      return ctx.jobs.send(event)
    case 'member.joined':
      return followInviter(ctx, event.accountId)
  }
}
