import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { statuses } from '../../db/schema'
import type { Approval } from '../../db/values'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { addToConversations } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import { updateFeaturedCounts } from '../featured-tags/update-counts'
import { notify } from '../notifications/notify'
import type { StatusRow } from '../policy/visibility'
import { fanOut } from '../timelines/fan-out'
import { incrementCounters } from './counters'
import { findLocalReplyOrReblog, type LocalInteractionRef } from './find-local-interaction'
import { isStillPending } from './find-reference'
import { quoteIn } from './quotes/find-quotes'
import { addMentions, addTags } from './store'

/** An Accept of a local reply, reblog or favourite. */
export interface ReceivedApproval extends LocalInteractionRef {
  /** Address of the authorization; null if none is given. */
  readonly uri: string | null
  /** Address of the Accept where it names no authorization, for it stands for one; null otherwise. */
  readonly accept: string | null
}

/** Approval that an Accept gives. */
export function approvalIn({ uri, accept }: Pick<ReceivedApproval, 'uri' | 'accept'>): Approval {
  return { state: 'accepted', uri, held: null, ...(accept === null ? {} : { accept }) }
}

/** Whether an approval proves more than the one that is held: an authorization does more than an Accept. Pure. */
export function isBetterProof(next: Approval, held: Approval | null): boolean {
  if (held?.state !== 'accepted') return next.uri !== null || next.accept !== undefined
  if (next.uri !== null) return next.uri !== held.uri
  return next.accept !== undefined && held.uri === null && held.accept === undefined
}

/**
 * Receives a remote author's approval of a local reply or reblog. Publishes it if it was pending. Otherwise
 * stores the address of its proof, which third servers verify. Repeating it changes nothing.
 *
 * Emits `status.created` or `reblog.created` if it was pending, else `status.updated` for a reply.
 */
export async function receiveApproval(
  ctx: Ctx,
  author: { readonly id: AccountId },
  approved: ReceivedApproval,
): Promise<Outcome> {
  const { found, quote } = await execute(
    ctx.db,
    combineQueries({
      found: findLocalReplyOrReblog(ctx, author.id, approved),
      quote: quoteIn(ctx, sql`${approved.id}`),
    }),
  )
  if (found === null) return ignored('approves an unknown interaction, or one with another author’s status')
  const { status } = found
  const approval = approvalIn(approved)
  const changes = new Changes()
  if (status.approval?.held != null) {
    publishApproved(ctx, changes, { status, approval, visibility: status.approval.held })
    if (quote?.state === 'pending')
      changes.emit({ kind: 'quote.requested', accountId: status.accountId, statusId: status.id })
  } else {
    if (!isBetterProof(approval, status.approval)) return ignored('needs no approval, or has it already')
    changes.add(ctx.db.update(statuses).set({ approval }).where(eq(statuses.id, status.id)))
    if (status.reblogOfId === null)
      changes.emit({ kind: 'status.updated', accountId: status.accountId, statusId: status.id })
  }
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof Conflict) return ignored(failure.message)
    throw failure
  }
}

interface Publication {
  readonly status: StatusRow
  readonly approval: Approval
  readonly visibility: StatusRow['visibility']
}

/** Adds what `asPendingApproval` left out: recipients, feeds, counters and notifications. */
function publishApproved(ctx: Ctx, changes: Changes, { status, approval, visibility }: Publication): void {
  const { id, accountId, mentions, tags } = status
  const published = { ...status, visibility }
  const named = mentions.map((mention) => mention.id)
  changes
    .require(isStillPending(id), new Conflict('answered_meanwhile'))
    .add(ctx.db.update(statuses).set({ visibility, approval }).where(eq(statuses.id, id)))
  addMentions(ctx, changes, { id, mentions, addressed: [] })
  addTags(ctx, changes, { id, tags })
  changes.add(...fanOut(ctx, published))
  if (visibility === 'direct') changes.add(addToConversations(ctx, { ...published, named }))
  changes.add(...incrementCounters(ctx, published), ...updateFeaturedCounts(ctx, published, 1))
  changes.publish({ kind: 'status.posted', statusId: id })
  const about = { from: accountId, statusId: id, isDirect: visibility === 'direct', type: 'mention' as const }
  notify(
    ctx,
    changes,
    named.map((to) => ({ ...about, to })),
  )
  const kind = status.reblogOfId === null ? 'status.created' : 'reblog.created'
  changes.emit({ kind, accountId, statusId: id })
}
