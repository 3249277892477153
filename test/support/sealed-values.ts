import { base64url } from '../../src/lib/secrets'

const encoder = new TextEncoder()

/** Encrypts as servers did before versions and owners: any row may hold the text. */
export async function sealUnbound(
  secret: string,
  bytes: ArrayBuffer | Uint8Array,
  purpose = 'actor keys',
): Promise<string> {
  const base = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: encoder.encode(`fieldfare ${purpose}`),
    info: new Uint8Array(),
  }
  const algorithm = { name: 'AES-GCM', length: 256 }
  const key = await crypto.subtle.deriveKey(derivation, base, algorithm, false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes)
  return `aesgcm1$${base64url(iv)}$${base64url(sealed)}`
}
