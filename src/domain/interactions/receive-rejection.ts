import { eq } from 'drizzle-orm'
import { combineQueries, constant, execute } from '../../db/query'
import { statuses } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import type { StatusRow } from '../policy/visibility'
import { isPendingApproval } from '../statuses/draft'
import {
  findLocalInteraction,
  findLocalReplyOrReblog,
  type LocalInteractionRef,
  statusExists,
} from '../statuses/find'
import { removeStatus, statusRemoved } from '../statuses/remove'
import { removeFavourite, removeFavouriteRequest } from './favourite'
import { removeReaction } from './reactions'

interface Author {
  readonly id: AccountId
}

type Rejected = LocalInteractionRef & { readonly kind: 'favourite' | 'reaction' | 'status' }

/**
 * Handles a remote author's rejection of a local favourite, reaction or reblog of their status, which is removed.
 * No Undo goes to their server, which knows; followers on other servers receive the deletion of a reblog. A reply
 * stays, without approval: a pending one is visible to its author alone, as `rejected`. A request for a favourite ends.
 *
 * Source: GoToSocial's interaction policies, whose authors may reject likes and reblogs at any time.
 */
export async function receiveRejection(ctx: Ctx, author: Author, rejected: Rejected): Promise<Outcome> {
  const changes = new Changes()
  const add = rejected.kind === 'status' ? addStatusRejection : addInteractionRemoval
  if (!(await add(ctx, changes, { author, rejected })))
    return ignored('rejects an unknown interaction, or one with a status of another author')
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof NotFound) return ignored('undone at the same moment')
    throw failure
  }
}

interface RejectionOrder {
  readonly author: Author
  readonly rejected: Rejected
}

async function addInteractionRemoval(
  ctx: Ctx,
  changes: Changes,
  { author, rejected }: RejectionOrder,
): Promise<boolean> {
  const isFavourite = rejected.kind === 'favourite'
  const table = isFavourite ? 'favourites' : 'emoji_reactions'
  const { mark, request } = await execute(
    ctx.db,
    combineQueries({
      mark: findLocalInteraction(ctx, author.id, rejected, table),
      request: isFavourite
        ? findLocalInteraction(ctx, author.id, rejected, 'favourite_requests')
        : constant(null),
    }),
  )
  if (request !== null) changes.add(removeFavouriteRequest(ctx, request.id))
  if (mark === null) return request !== null
  const remove = isFavourite ? removeFavourite : removeReaction
  remove(ctx, changes, { mark, by: mark.accountId })
  return true
}

async function addStatusRejection(
  ctx: Ctx,
  changes: Changes,
  { author, rejected }: RejectionOrder,
): Promise<boolean> {
  const found = await execute(ctx.db, findLocalReplyOrReblog(ctx, author.id, rejected))
  if (found === null) return false
  const { status, username } = found
  if (status.reblogOfId === null) return rejectReply(ctx, changes, status)
  removeStatus(ctx, changes, { author: { username }, status })
  // A pending reblog is known to its author only.
  if (!isPendingApproval(status)) changes.emit(statusRemoved(status, []))
  return true
}

/** Marks a reply as rejected. Servers that have it as approved receive the update. */
function rejectReply(ctx: Ctx, changes: Changes, { id, accountId, approval }: StatusRow): boolean {
  if (approval?.state === 'rejected') return false
  const held = approval?.held ?? null
  changes
    .require(statusExists(id), new NotFound())
    .add(
      ctx.db
        .update(statuses)
        .set({ approval: { state: 'rejected', uri: null, held } })
        .where(eq(statuses.id, id)),
    )
    .publish({ kind: 'status.edited', statusId: id })
  if (approval?.state === 'accepted') changes.emit({ kind: 'status.updated', accountId, statusId: id })
  return true
}
