import type { Ctx } from '../../context'
import { ask } from '../../db/query'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import { done, ignored, type Outcome } from '../outcome'
import { removeFavourite } from './favourite'
import { type AnsweredInteraction, answeredMark, answeredReblog } from './find-answered'
import { removeReaction } from './reactions'
import { removeStatus, statusRemoved } from './remove'

interface Author {
  readonly id: AccountId
}

type Rejected = AnsweredInteraction & { readonly kind: 'favourite' | 'reaction' | 'status' }

/**
 * The author of a status, of another server, rejects what one of ours did to it: the favourite, reaction or reblog is
 * taken back. They know, so nothing is undone at their server; followers elsewhere hear that a reblog is gone.
 *
 * Source: GoToSocial's interaction policies, whose authors may reject likes and shares at any time.
 */
export async function receiveRejection(ctx: Ctx, author: Author, rejected: Rejected): Promise<Outcome> {
  const changes = new Changes()
  const add = rejected.kind === 'status' ? addReblogRemoval : addMarkRemoval
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

interface Order {
  readonly author: Author
  readonly rejected: Rejected
}

async function addMarkRemoval(ctx: Ctx, changes: Changes, { author, rejected }: Order): Promise<boolean> {
  const isFavourite = rejected.kind === 'favourite'
  const table = isFavourite ? 'favourites' : 'emoji_reactions'
  const mark = await ask(ctx.db, answeredMark(ctx, author.id, rejected, table))
  if (mark === null) return false
  const remove = isFavourite ? removeFavourite : removeReaction
  remove(ctx, changes, { mark, by: mark.accountId })
  return true
}

async function addReblogRemoval(ctx: Ctx, changes: Changes, { author, rejected }: Order): Promise<boolean> {
  const found = await ask(ctx.db, answeredReblog(ctx, author.id, rejected))
  if (found === null) return false
  const { reblog, username } = found
  removeStatus(ctx, changes, { author: { username }, status: reblog })
  changes.emit(statusRemoved(reblog, []))
  return true
}
