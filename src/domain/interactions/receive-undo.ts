import { combineQueries, execute } from '../../db/query'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import {
  deduplicateActivity,
  ignoreLateActivity,
  type ReceivedUndo,
  tombstoneActivity,
  wasReceived,
} from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { removeStatus } from '../statuses/remove'
import { removeFavourite } from './favourite'
import { type UndoTarget, undoneFavourite, undoneReaction, undoneReblog } from './find-undone'
import { removeReaction } from './reactions'

/** Somebody of another server. */
type ActingAccount = Pick<Viewer, 'id' | 'username'>

/** Takes a reblog of somebody of another server back, with its notification and figures. */
export async function undoReblog(
  ctx: Ctx,
  doer: ActingAccount,
  undoing: ReceivedUndo & UndoTarget,
): Promise<Outcome> {
  const { reblog, before } = await execute(
    ctx.db,
    combineQueries({
      reblog: undoneReblog(ctx, doer.id, undoing),
      before: wasReceived(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (reblog === null) return ignoreLateActivity(ctx, undoing)
  const changes = new Changes()
  tombstoneUndone(ctx, changes, undoing)
  removeStatus(ctx, changes, { author: doer, status: reblog })
  await commit(ctx, changes)
  return done
}

/**
 * Takes a favourite or a reaction of somebody of another server back, with its notification. Misskey sends
 * reactions as Likes, so both are looked for; `names` are those the reaction may have here, where they can be told.
 */
export async function undoFavouriteOrReaction(
  ctx: Ctx,
  doer: ActingAccount,
  undoing: ReceivedUndo & UndoTarget & { readonly names: readonly string[] },
): Promise<Outcome> {
  const { favourite, reaction, before } = await execute(
    ctx.db,
    combineQueries({
      favourite: undoneFavourite(ctx, doer.id, undoing),
      reaction: undoneReaction(ctx, doer.id, undoing),
      before: wasReceived(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (favourite === null && reaction === null) return ignoreLateActivity(ctx, undoing)
  const changes = new Changes()
  tombstoneUndone(ctx, changes, undoing)
  if (reaction !== null) removeReaction(ctx, changes, { mark: reaction, by: doer.id })
  else if (favourite !== null) removeFavourite(ctx, changes, { mark: favourite, by: doer.id })
  await commit(ctx, changes)
  return done
}

function tombstoneUndone(ctx: Ctx, changes: Changes, { uri, undoneUri }: ReceivedUndo): void {
  deduplicateActivity(ctx, changes, uri)
  tombstoneActivity(ctx, changes, [undoneUri])
}
