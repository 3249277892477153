import type { RemoteActor } from '../domain/accounts/remote'
import { sameOrigin } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { type ActorFailure, fetchActor } from './actors'
import { fetchDocument } from './fetch'
import { readActor } from './vocab/actor'
import { idOf, isObject, type JsonObject, objectsOf } from './vocab/json'
import { isUnreadable } from './vocab/unreadable'

/** A key with the actor whose own document lists it. */
export interface OwnedKey {
  readonly kind: 'found'
  readonly publicKey: string
  readonly owner: RemoteActor
}

/** Requests allowed for one key: its own document and that of the owner it names. */
const requestsForKey = 2

/**
 * Fetches the key with this id: from its document to the owner named there, then to the owner's own document. Only
 * the latter is proof, for anyone can name any owner in a key document.
 *
 * Two requests at most, both to the server of the key. A server that takes another signature scheme than the first
 * offered and keeps keys apart from actors needs more at first contact: it is `unreachable`, and the remembered
 * scheme makes two enough on the next delivery.
 */
export async function fetchKey(ctx: Ctx, keyId: string): Promise<OwnedKey | ActorFailure> {
  const found = await ownerOf(ctx, keyId)
  if (found.kind !== 'found') return found
  const key = found.actor.keys.find(({ id }) => id === keyId)
  if (key === undefined) return refused(`${found.actor.uri} does not list the key`)
  return { kind: 'found', publicKey: key.publicKey, owner: found.actor }
}

async function ownerOf(ctx: Ctx, keyId: string): ReturnType<typeof fetchActor> {
  const before = ctx.http.sent()
  const fetched = await fetchDocument(ctx, keyId, { sameHostOnly: true, requests: requestsForKey })
  if (fetched.kind === 'refused' && fetched.spent === true) return spent
  if (fetched.kind === 'missing') return refused('there is nothing at the address of the key')
  if (fetched.kind !== 'found') return fetched
  const { document } = fetched
  const actor = readActor(document, ctx.clock.now())
  if (!isUnreadable(actor)) return { kind: 'found', actor }
  const owner = isObject(document) ? ownerIn(document) : null
  // Key and actor are on one server in practice; a key that names an owner elsewhere would send requests to third
  // parties.
  if (owner === null || !sameOrigin(owner, keyId)) return refused('its document names no owner on its server')
  const left = requestsForKey - (ctx.http.sent() - before)
  return left > 0 ? fetchActor(ctx, owner, { sameHostOnly: true, requests: left }) : spent
}

const spent: ActorFailure = { kind: 'unreachable', reason: 'Its key takes more requests than one may cause' }

function ownerIn(document: JsonObject): string | null {
  const [inner] = objectsOf(document['publicKey'], 1)
  return idOf(document['owner']) ?? idOf(document['controller']) ?? idOf(inner?.['owner'])
}

function refused(reason: string): ActorFailure {
  return { kind: 'refused', reason }
}
