import { eq } from 'drizzle-orm'
import { execute } from '../../db/query'
import { statuses } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import type { StatusRow } from '../policy/visibility'
import { isPendingApproval } from '../statuses/approval'
import { statusExists } from '../statuses/find'
import {
  findLocalInteraction,
  findLocalReplyOrReblog,
  type LocalInteractionRef,
} from '../statuses/find-local-interaction'
import { removeStatus, statusRemoved } from '../statuses/remove'
import { removeFavourite } from './favourite'
import { removeReaction } from './reactions'

interface Author {
  readonly id: AccountId
}

type Rejected = LocalInteractionRef & { readonly kind: 'favourite' | 'reaction' | 'status' }

/**
 * The author of a status, of another server, rejects what one of ours did to it: the favourite, reaction or reblog is
 * taken back. They know, so nothing is undone at their server; followers elsewhere hear that a reblog is gone. An answer
 * stays, without consent: one that waited is seen by its author alone, as `rejected`.
 *
 * Source: GoToSocial's interaction policies, whose authors may reject likes and shares at any time.
 */
export async function receiveRejection(ctx: Ctx, author: Author, rejected: Rejected): Promise<Outcome> {
  const changes = new Changes()
  const add = rejected.kind === 'status' ? addStatusRejection : addInteractionRemoval
  if (!(await add(ctx, changes, { author, rejected })))
    return ignored('rejects what is not there, or is about somebody else’s post')
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof NotFound) return ignored('it was taken back at the same moment')
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
  const mark = await execute(ctx.db, findLocalInteraction(ctx, author.id, rejected, table))
  if (mark === null) return false
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
  if (status.reblogOfId === null) return rejectAnswer(ctx, changes, status)
  removeStatus(ctx, changes, { author: { username }, status })
  // Only its author knows of one that waited.
  if (!isPendingApproval(status)) changes.emit(statusRemoved(status, []))
  return true
}

/** Adds that an answer has no consent. Others who have it with that consent are told. */
function rejectAnswer(ctx: Ctx, changes: Changes, { id, accountId, approval }: StatusRow): boolean {
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
