import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { favourites } from '../../db/schema'
import type { Approval } from '../../db/values'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import { findLocalInteraction, type LocalInteraction } from '../statuses/find-address'
import { approvalIn, isBetterProof, type ReceivedApproval } from '../statuses/receive-request'
import { addFavourite, removeFavouriteRequest } from './favourite'

/**
 * Receives a remote author's approval of a local favourite. A request becomes the favourite it asks for; otherwise the
 * address of the proof is stored. Repeating it changes nothing. Emits `favourite.created` for a request.
 */
export async function receiveFavouriteApproval(
  ctx: Ctx,
  author: { readonly id: AccountId },
  approved: ReceivedApproval,
): Promise<Outcome> {
  const { request, favourite, held } = await execute(
    ctx.db,
    combineQueries({
      request: findLocalInteraction(ctx, author.id, approved, 'favourite_requests'),
      favourite: findLocalInteraction(ctx, author.id, approved, 'favourites'),
      held: first(
        ctx.db
          .select({ approval: favourites.approval })
          .from(favourites)
          .where(eq(favourites.id, approved.id)),
      ),
    }),
  )
  const approval = approvalIn(approved)
  const changes = new Changes()
  if (request !== null) grantRequest(ctx, changes, { request, approval, author: author.id })
  else if (favourite === null)
    return ignored('approves an unknown favourite, or one of another author’s status')
  else if (!isBetterProof(approval, held?.approval ?? null))
    return ignored('needs no approval, or has it already')
  else changes.add(ctx.db.update(favourites).set({ approval }).where(eq(favourites.id, favourite.id)))
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof Conflict) return ignored(failure.message)
    throw failure
  }
}

interface Grant {
  readonly request: LocalInteraction
  readonly approval: Approval
  readonly author: AccountId
}

/** Turns the request into the favourite, under the same id. */
function grantRequest(ctx: Ctx, changes: Changes, { request, approval, author }: Grant): void {
  const { id, accountId, statusId } = request
  changes.require(
    sql`exists (select 1 from favourite_requests where id = ${id})`,
    new Conflict('answered_meanwhile'),
  )
  const status = { id: statusId, accountId: author, local: false }
  addFavourite(ctx, changes, { id, by: accountId, status, uri: null, approval })
  changes.add(removeFavouriteRequest(ctx, id))
  changes.emit({ kind: 'favourite.created', accountId, statusId, favouriteId: id })
}
