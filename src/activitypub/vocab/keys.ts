import type { RemoteKey } from '../../domain/accounts/remote'
import { sameOrigin } from '../../lib/web-address'
import { hasType, idOf, type JsonObject, objectsOf } from './json'
import { stringOf } from './text'

const MAX_KEYS = 8
const MAX_PEM_CHARACTERS = 8_192

// Headers of SPKI and of PKCS#1. The key import validates the body.
const pem = /-----BEGIN (?:RSA )?PUBLIC KEY-----/
// Multibase base58btc of the Ed25519 prefix and 32 bytes.
const ed25519 = /^z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

/**
 * Keys listed in an actor's document: `publicKey` (one or several) and Ed25519 Multikeys of `assertionMethod`.
 *
 * Keys with another owner or an id on another server are ignored.
 */
export function keysOf(actor: JsonObject, uri: string): readonly RemoteKey[] {
  const found = new Map<string, RemoteKey>()
  for (const key of objectsOf(actor['publicKey'], MAX_KEYS)) keep(key['owner'], pemKey(key))
  for (const key of objectsOf(actor['assertionMethod'], MAX_KEYS))
    if (hasType(key, 'Multikey')) keep(key['controller'], multikey(key))
  return [...found.values()]

  function keep(owner: unknown, key: RemoteKey | null): void {
    const isOwn = owner === undefined || owner === null || idOf(owner) === uri
    if (key !== null && isOwn && sameOrigin(key.id, uri) && !found.has(key.id)) found.set(key.id, key)
  }
}

function pemKey(key: JsonObject): RemoteKey | null {
  const id = idOf(key['id'])
  const publicKey = stringOf(key['publicKeyPem']) ?? ''
  return id !== null && publicKey.length <= MAX_PEM_CHARACTERS && pem.test(publicKey)
    ? { id, publicKey }
    : null
}

function multikey(key: JsonObject): RemoteKey | null {
  const id = idOf(key['id'])
  const publicKey = stringOf(key['publicKeyMultibase']) ?? ''
  return id !== null && ed25519.test(publicKey) ? { id, publicKey } : null
}
