import { both, execute } from '../../../db/query'
import { NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { done, ignored, type Outcome, rejected } from '../../core/outcome'
import { tombstoneUnknown } from '../../core/received-activities'
import { isRemovedInPartsAt } from '../find-children'
import { removeStatus } from '../remove'
import { statusOfActor } from './find-remote'

/**
 * Deletes a status or reblog at the request of its remote author. `uri` has to be on the author's server. Unknown
 * URIs get a tombstone within a limit, since the status may still be in delivery. Statuses of other actors are
 * not touched.
 */
export async function receiveDelete(
  ctx: Ctx,
  actor: { readonly id: AccountId; readonly username: string },
  uri: string,
): Promise<Outcome> {
  const [found, inParts] = await execute(
    ctx.db,
    both(statusOfActor(ctx, actor.id, uri), isRemovedInPartsAt(ctx, uri)),
  )
  if (found === 'of another') return rejected('deletes a status of another actor')
  const changes = new Changes()
  if (found !== null) removeStatus(ctx, changes, { author: actor, status: found, inParts })
  else if (!tombstoneUnknown(ctx, changes, uri)) return ignored('too many deletions of unknown statuses')
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof NotFound) return ignored('already deleted concurrently')
    throw failure
  }
}
