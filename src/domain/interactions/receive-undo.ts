import { combineQueries, execute } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
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

/** Remote account that sent the Undo. */
type UndoingAccount = Pick<Viewer, 'id' | 'username'>

/** Undoes a remote account's reblog, with its notification and counters. */
export async function undoReblog(
  ctx: Ctx,
  actor: UndoingAccount,
  undoing: ReceivedUndo & UndoTarget,
): Promise<Outcome> {
  const { reblog, before } = await execute(
    ctx.db,
    combineQueries({
      reblog: undoneReblog(ctx, actor.id, undoing),
      before: wasReceived(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (reblog === null) return ignoreLateActivity(ctx, undoing)
  const changes = new Changes()
  tombstoneUndone(ctx, changes, undoing)
  removeStatus(ctx, changes, { author: actor, status: reblog })
  await commit(ctx, changes)
  return done
}

/**
 * Undoes a remote account's favourite or reaction, with its notification. Misskey sends reactions as Likes, so both
 * are searched; `names` are those the reaction may have here, where known.
 */
export async function undoFavouriteOrReaction(
  ctx: Ctx,
  actor: UndoingAccount,
  undoing: ReceivedUndo & UndoTarget & { readonly names: readonly string[] },
): Promise<Outcome> {
  const { favourite, reaction, before } = await execute(
    ctx.db,
    combineQueries({
      favourite: undoneFavourite(ctx, actor.id, undoing),
      reaction: undoneReaction(ctx, actor.id, undoing),
      before: wasReceived(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (favourite === null && reaction === null) return ignoreLateActivity(ctx, undoing)
  const changes = new Changes()
  tombstoneUndone(ctx, changes, undoing)
  if (reaction !== null) removeReaction(ctx, changes, { mark: reaction, by: actor.id })
  else if (favourite !== null) removeFavourite(ctx, changes, { mark: favourite, by: actor.id })
  await commit(ctx, changes)
  return done
}

function tombstoneUndone(ctx: Ctx, changes: Changes, { uri, undoneUri }: ReceivedUndo): void {
  deduplicateActivity(ctx, changes, uri)
  tombstoneActivity(ctx, changes, [undoneUri])
}
