import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { favourites, homeEntries, statuses, statusMentions } from '../../db/schema'
import type { Approval } from '../../db/values'
import { Conflict } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { addToConversations } from '../conversations/entries'
import { Changes, commit, commitStep, done, ignored, type Outcome } from '../core/changes'
import { viewerById } from '../core/viewer'
import { updateFeaturedCounts } from '../featured-tags/feature'
import { notify } from '../notifications/notify'
import { decideApproval } from '../policy/interaction'
import type { StatusRow } from '../policy/visibility'
import { fanOut } from '../timelines/fan-out'
import { findLocalReplyOrReblog, idByAddress, type LocalInteractionRef, visibleAtAddress } from './find'
import { authorRelationOf } from './find-author'
import { isStillPending } from './find-federated'
import { quoteIn } from './quotes/find-quotes'
import { statusOfActor } from './remote/find-remote'
import { addMentions, addTags, incrementCounters } from './store'
/** A remote server's request to approve a reply, a reblog or a favourite. */
export interface InteractionRequest {
  readonly uri: string
  readonly type: 'ReplyRequest' | 'AnnounceRequest' | 'LikeRequest'
  /** The local status. */
  readonly targetUri: string
  /** The reply, Announce or Like on the requester's server. */
  readonly interactionUri: string
}

const kinds = { ReplyRequest: 'reply', AnnounceRequest: 'reblog', LikeRequest: 'favourite' } as const

export interface RequestTarget {
  readonly statusId: StatusId
  readonly accountId: AccountId
  readonly isAllowed: boolean
}

/** Whether `account` may interact as requested; null if it cannot see such a local status. One round trip. */
export async function mayInteractAt(
  ctx: Ctx,
  account: AccountId,
  { type, targetUri }: InteractionRequest,
): Promise<RequestTarget | null> {
  const { status, standing } = await execute(
    ctx.db,
    combineQueries({
      status: visibleAtAddress(ctx, viewerById(account), targetUri),
      standing: authorRelationOf(ctx, account, idByAddress(ctx, targetUri)),
    }),
  )
  if (status === null || standing === null || !status.local) return null
  const kind = kinds[type]
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const isAllowed =
    (kind !== 'reblog' || isOpen) && decideApproval(kind, account, { status, standing }) === 'given'
  return { statusId: status.id, accountId: status.accountId, isAllowed }
}

/**
 * Answers a request by the policy of the status, on behalf of its author. An allowed interaction is already
 * stored and records the approval. Repeated requests get the same answer. Emits `approval.answered`.
 */
export async function answerInteractionRequest(
  ctx: Ctx,
  requester: { readonly id: AccountId },
  { request, target }: { readonly request: InteractionRequest; readonly target: RequestTarget },
): Promise<Outcome> {
  const changes = new Changes()
  const find = request.type === 'LikeRequest' ? findStoredFavourite : findStoredInteraction
  const statusId = target.isAllowed ? await find(ctx, requester.id, request, target) : null
  if (target.isAllowed && statusId === null) return ignored('the requested interaction is not stored')
  const approval = { state: 'accepted', uri: null, held: null } as const
  if (statusId !== null)
    changes.add(
      request.type === 'LikeRequest'
        ? ctx.db
            .update(favourites)
            .set({ approval, uri: request.interactionUri })
            .where(eq(favourites.id, statusId))
        : ctx.db.update(statuses).set({ approval }).where(eq(statuses.id, statusId)),
    )
  changes.emit({
    kind: 'approval.answered',
    accountId: target.accountId,
    statusId,
    requesterId: requester.id,
    requestUri: request.uri,
    requestType: request.type,
    targetStatusId: target.statusId,
    interactionUri: request.interactionUri,
  })
  await commit(ctx, changes)
  return done
}

/** Id of the favourite, which another Like may have made before. */
async function findStoredFavourite(
  ctx: Ctx,
  requester: AccountId,
  _request: InteractionRequest,
  { statusId }: RequestTarget,
): Promise<number | null> {
  const own = and(eq(favourites.statusId, statusId), eq(favourites.accountId, requester))
  const found = await execute(ctx.db, first(ctx.db.select({ id: favourites.id }).from(favourites).where(own)))
  return found?.id ?? null
}

async function findStoredInteraction(
  ctx: Ctx,
  requester: AccountId,
  { interactionUri }: InteractionRequest,
  { statusId }: RequestTarget,
): Promise<StatusId | null> {
  const stored = await execute(ctx.db, statusOfActor(ctx, requester, interactionUri))
  if (stored === null || stored === 'of another') return null
  return stored.inReplyToId === statusId || stored.reblogOfId === statusId ? stored.id : null
}

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
  return commitStep(ctx, changes)
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

interface PersonalDelivery {
  readonly statusId: StatusId
  /** Local account whose personal inbox received it. */
  readonly username: string
}

/**
 * Handles a known status delivered to the inbox of another local account. A direct or private status becomes
 * visible to that account and enters its home feed if it follows the author. One round trip; repeating it changes
 * nothing.
 */
export async function receiveForRecipient(
  ctx: Ctx,
  author: { readonly id: AccountId },
  { statusId, username }: PersonalDelivery,
): Promise<Outcome> {
  const reached = sql`statuses s cross join accounts reader
    where s.id = ${statusId} and s.account_id = ${author.id} and s.visibility in ('direct', 'private')
      and lower(reader.username) = lower(${username}) and coalesce(reader.domain, '') = '' and reader.suspended_at is null`
  const isFollowing = sql`exists (select 1 from follows f
    where f.account_id = reader.id and f.target_account_id = s.account_id)`
  // Home feed first: once the account is a recipient, the earlier state is lost.
  const changes = new Changes().add(
    ctx.db.run(sql`insert into ${homeEntries} (account_id, status_id) select reader.id, s.id from ${reached}
      and s.visibility = 'direct' and ${isFollowing} and not exists (select 1 from status_mentions m
        where m.status_id = s.id and m.account_id = reader.id)
      on conflict do nothing`),
    ctx.db.run(sql`insert into ${statusMentions} (status_id, account_id) select s.id, reader.id from ${reached}
      on conflict do nothing`),
  )
  await commit(ctx, changes)
  return done
}
