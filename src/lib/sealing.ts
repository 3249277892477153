import { base64url } from './secrets'

/**
 * Encrypts secrets at rest: AES-GCM under a key derived from the instance secret for one purpose, as
 * `aesgcm1$<nonce>$<sealed>`. What was sealed for one purpose cannot be opened for another.
 */
export async function seal(
  secret: string,
  bytes: ArrayBuffer | Uint8Array,
  purpose = 'actor keys',
): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce },
    await keyFrom(secret, purpose),
    bytes,
  )
  return `aesgcm1$${base64url(nonce)}$${base64url(sealed)}`
}

/** Decrypts a text of `seal`. Throws if the secret, the text or the purpose is another. */
export async function unseal(secret: string, text: string, purpose = 'actor keys'): Promise<ArrayBuffer> {
  const [version, nonce, sealed] = text.split('$')
  if (version !== 'aesgcm1' || nonce === undefined || sealed === undefined)
    throw new Error('Unknown format of a sealed key')
  const iv = Uint8Array.fromBase64(nonce, { alphabet: 'base64url' })
  const bytes = Uint8Array.fromBase64(sealed, { alphabet: 'base64url' })
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyFrom(secret, purpose), bytes)
}

async function keyFrom(secret: string, purpose: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, [
    'deriveKey',
  ])
  const salt = new TextEncoder().encode(`fieldfare ${purpose}`)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array() },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
