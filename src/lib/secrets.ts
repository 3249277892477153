import type { InstanceSecret, InstanceSecrets } from './instance-secrets'

const encoder = new TextEncoder()

/** SHA-256 as URL-safe base64 without padding: 43 characters. */
export async function sha256(text: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** SHA-256 in hexadecimal: 64 characters. */
export async function sha256Hex(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))).toHex()
}

/** HMAC-SHA-256 of `text` under a key derived from the current secret for `purpose` alone, as URL-safe base64. */
export function sign({ current }: InstanceSecrets, purpose: string, text: string): Promise<string> {
  return signWith(current, purpose, text)
}

/** `sign` under one secret. */
export async function signWith(secret: InstanceSecret, purpose: string, text: string): Promise<string> {
  const key = await hmacKey(secret.text, purpose)
  return base64url(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

/** Verifies the `signature` of `text`, made under any accepted secret, in constant time for each. */
export async function verify(
  secrets: InstanceSecrets,
  purpose: string,
  text: string,
  signature: string,
): Promise<boolean> {
  for (const secret of secrets.accepted)
    if (sameText(await signWith(secret, purpose, text), signature)) return true
  return false
}

/** Compares two secrets in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [encoder.encode(a), encoder.encode(b)]
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right)
}

async function hmacKey(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = encoder.encode(`${purpose}\n${secret}`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
  return btoa(String.fromCharCode(...view))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
