import { and, eq } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { favourites, statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import { viewerById } from '../core/viewer'
import { decideApproval } from '../policy/interaction'
import { idByAddress, visibleAtAddress } from './find-address'
import { authorRelationOf } from './find-author-relation'
import { statusOfActor } from './remote/find-remote'

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
