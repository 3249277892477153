import { execute } from '../../db/query'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/actor'
import { actorAddresses, instanceActorUri } from '../../lib/addresses'
import type { AppContext } from '../../platform/app-env'
import { serialiseInstanceActor } from '../serialise/actor'
import { orderedList } from '../serialise/collections'
import { anybody } from './reader'
import { respondWithDocument, wantsDocument } from './respond'

/**
 * The actor this server asks as. For everybody, signed or not: whoever wants to verify its signature has to fetch
 * it, and would otherwise sign that request with a key we in turn had to fetch.
 */
export async function serveInstanceActor(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const { config } = ctx
  if (!wantsDocument(c)) return c.redirect(`${config.origin}/about`)
  const { publicKey } = await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
  return respondWithDocument(c, anybody, serialiseInstanceActor(config, { publicKey, name: config.domain }))
}

/** It says nothing. */
export function serveInstanceOutbox(c: AppContext): Response {
  const { outbox } = actorAddresses(instanceActorUri(c.get('ctx').config.origin))
  return respondWithDocument(c, anybody, orderedList(outbox, []))
}
