import { execute } from '../../db/query'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/actor'
import { actorAddresses, instanceActorUri } from '../../lib/addresses'
import type { AppContext } from '../../ports/app-env'
import { serialiseInstanceActor } from '../serialise/actor'
import { orderedList } from '../serialise/collections'
import { anonymousReader } from './reader'
import { respondWithDocument, wantsDocument } from './respond'

/**
 * Serves the actor that signs this server's fetches. Readable unsigned: a remote server fetches it to verify a
 * signature, and would otherwise sign that request with a key that this server had to fetch in turn.
 */
export async function serveInstanceActor(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const { config } = ctx
  if (!wantsDocument(c)) return c.redirect(`${config.origin}/about`)
  const { publicKey } = await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
  return respondWithDocument(
    c,
    anonymousReader,
    serialiseInstanceActor(config, { publicKey, name: config.domain }),
  )
}

/** Serves an empty outbox. */
export function serveInstanceOutbox(c: AppContext): Response {
  const { outbox } = actorAddresses(instanceActorUri(c.get('ctx').config.origin))
  return respondWithDocument(c, anonymousReader, orderedList(outbox, []))
}
