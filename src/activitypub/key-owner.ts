import type { Ctx } from '../context'
import type { RemoteActor } from '../domain/accounts/remote'
import { sameOrigin } from '../lib/web-address'
import { type Failure, fetchActor } from './actors'
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

/**
 * The key with this id: from the document at its address to the owner that one names, to what stands at the owner's
 * own address. Only that counts, for anybody can write another's name into the document of a key.
 */
export async function fetchKey(ctx: Ctx, keyId: string): Promise<OwnedKey | Failure> {
  const found = await ownerOf(ctx, keyId)
  if (found.kind !== 'found') return found
  const key = found.actor.keys.find(({ id }) => id === keyId)
  if (key === undefined) return refused(`${found.actor.uri} does not list the key`)
  return { kind: 'found', publicKey: key.publicKey, owner: found.actor }
}

async function ownerOf(ctx: Ctx, keyId: string): ReturnType<typeof fetchActor> {
  const fetched = await fetchDocument(ctx, keyId)
  if (fetched.kind === 'missing') return refused('there is nothing at the address of the key')
  if (fetched.kind !== 'found') return fetched
  const { document } = fetched
  const actor = readActor(document, ctx.clock.now())
  if (!isUnreadable(actor)) return { kind: 'found', actor }
  const owner = isObject(document) ? ownerIn(document) : null
  // Nobody keeps the keys of an actor on another server; whoever says so wants us to go there.
  if (owner === null || !sameOrigin(owner, keyId)) return refused('its document names no owner on its server')
  return fetchActor(ctx, owner)
}

function ownerIn(document: JsonObject): string | null {
  const [inner] = objectsOf(document['publicKey'], 1)
  return idOf(document['owner']) ?? idOf(document['controller']) ?? idOf(inner?.['owner'])
}

function refused(reason: string): Failure {
  return { kind: 'refused', reason }
}
