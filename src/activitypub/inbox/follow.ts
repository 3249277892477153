import { execute } from '../../db/query'
import { ignored } from '../../domain/core/outcome'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/actor'
import { receiveFollow, refuseFollow } from '../../domain/relationships/receive-follow'
import { instanceActorUri } from '../../lib/addresses'
import { instanceActorId } from '../../lib/ids'
import { isPublic } from '../vocab/audience'
import { firstOf } from '../vocab/json'
import { type InboxHandler, localUsernameOf } from './handler'

/**
 * Remote actor follows a local account. Relays and gateways follow the public collection or the server itself: the
 * instance actor rejects these, so that the request does not stay open for ever.
 */
export const follow: InboxHandler = async (ctx, signer, activity) => {
  const { id: uri, object, raw } = activity
  const toAll = isPublic(firstOf(raw['object']))
  if (toAll || object?.id === instanceActorUri(ctx.config.origin)) {
    await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
    return refuseFollow(ctx, signer, { target: instanceActorId, uri })
  }
  const username = localUsernameOf(ctx, object?.id ?? null)
  if (username === null) return ignored('follows no local account')
  return receiveFollow(ctx, signer, { username, uri, fromLimited: signer.limit?.severity === 'silence' })
}
