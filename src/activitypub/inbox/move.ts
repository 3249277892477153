import { execute } from '../../db/query'
import { localAccountId } from '../../domain/accounts/find-remote'
import { ignored, rejected, retry } from '../../domain/core/outcome'
import { findMoveFacts, receiveMove } from '../../domain/relationships/receive-move'
import { fetchActor, storeActor } from '../actors'
import { type InboxHandler, localUsernameOf } from './handler'

const retryAfterSeconds = 600

/** Targets fetched for one actor in an hour: the actor chooses their hosts. Retries after a failure count as well. */
const maxMoves = 6
const movesSeconds = 3_600

/**
 * Remote account with local followers moves. The target is refetched, for it has to name the old account in
 * `alsoKnownAs`. Moves without local followers are ignored.
 */
export const move: InboxHandler = async (ctx, signer, { id: uri, object, target }) => {
  const to = target?.id ?? null
  if (object?.id !== signer.uri || to === null) return rejected('moves another actor, or has no target')
  const { followed, resting } = await findMoveFacts(ctx, signer.id)
  if (!followed) return ignored('moves without local followers')
  if (resting) return rejected('moved a short while ago')
  const username = localUsernameOf(ctx, to)
  if (username !== null) {
    const id = await execute(ctx.db, localAccountId(ctx, username))
    return id === null
      ? rejected('moves to no existing account')
      : receiveMove(ctx, signer, { target: id, uri })
  }
  if (ctx.memory.increment(`moves of ${signer.id}`, movesSeconds) > maxMoves)
    return rejected('moves too often')
  const fetched = await fetchActor(ctx, to)
  // Checked before storing: an account named against its will need not be stored.
  if (fetched.kind === 'found' && !fetched.actor.alsoKnownAs.includes(signer.uri))
    return rejected('the target of the move does not list the account as an alias')
  const stored = fetched.kind === 'found' ? await storeActor(ctx, fetched.actor) : fetched
  switch (stored.kind) {
    case 'stored':
      return receiveMove(ctx, signer, { target: stored.id, uri })
    case 'unreachable':
      return retry(retryAfterSeconds)
    default:
      return rejected('moves to an actor that cannot be fetched')
  }
}
