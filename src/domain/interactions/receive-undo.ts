import { ask, together } from '../../db/query'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import {
  forgetLate,
  neverAgain,
  receivedBefore,
  receiveOnce,
  type Undoing,
} from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { removeStatus } from '../statuses/remove'
import { removeFavourite } from './favourite'
import { type Undone, undoneFavourite, undoneReaction, undoneReblog } from './find-undone'
import { removeReaction } from './reactions'

/** Somebody of another server. */
type Doer = Pick<Viewer, 'id' | 'username'>

/** Takes a reblog of somebody of another server back, with its notification and figures. */
export async function undoReblog(ctx: Ctx, doer: Doer, undoing: Undoing & Undone): Promise<Outcome> {
  const { reblog, before } = await ask(
    ctx.db,
    together({
      reblog: undoneReblog(ctx, doer.id, undoing),
      before: receivedBefore(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (reblog === null) return forgetLate(ctx, undoing)
  const changes = new Changes()
  markUndone(ctx, changes, undoing)
  removeStatus(ctx, changes, { author: doer, status: reblog })
  await commit(ctx, changes)
  return done
}

/**
 * Takes a favourite or a reaction of somebody of another server back, with its notification. Misskey sends
 * reactions as Likes, so both are looked for; `names` are those the reaction may have here, where they can be told.
 */
export async function undoMark(
  ctx: Ctx,
  doer: Doer,
  undoing: Undoing & Undone & { readonly names: readonly string[] },
): Promise<Outcome> {
  const { favourite, reaction, before } = await ask(
    ctx.db,
    together({
      favourite: undoneFavourite(ctx, doer.id, undoing),
      reaction: undoneReaction(ctx, doer.id, undoing),
      before: receivedBefore(ctx, undoing.uri),
    }),
  )
  if (before) return ignored('received before')
  if (favourite === null && reaction === null) return forgetLate(ctx, undoing)
  const changes = new Changes()
  markUndone(ctx, changes, undoing)
  if (reaction !== null) removeReaction(ctx, changes, { mark: reaction, by: doer.id })
  else if (favourite !== null) removeFavourite(ctx, changes, { mark: favourite, by: doer.id })
  await commit(ctx, changes)
  return done
}

function markUndone(ctx: Ctx, changes: Changes, { uri, undoneUri }: Undoing): void {
  receiveOnce(ctx, changes, uri)
  neverAgain(ctx, changes, [undoneUri])
}
