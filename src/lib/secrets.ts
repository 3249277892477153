import { createHmac } from 'node:crypto'

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

/** Secret of the server, by which cookies and links are signed and keys are encrypted. */
export interface InstanceSecret {
  readonly text: string
  /** Name by which encrypted values say what they were encrypted under: eight hexadecimal digits derived from the text. */
  readonly version: string
}

/**
 * Secrets of the server. Cookies, links and encrypted values are made with the current one; what any of the accepted ones made is valid: former
 * secrets, and the next one while it is being brought in.
 */
export interface InstanceSecrets {
  readonly current: InstanceSecret
  /** The current one first. */
  readonly accepted: readonly InstanceSecret[]
}

/** Secrets besides the current one that are accepted at most: each is tried for every signature that is wrong. */
export const mostAcceptedSecrets = 4

export function instanceSecrets(current: string, accepted: readonly string[] = []): InstanceSecrets {
  const texts = [...new Set([current, ...accepted])]
  return {
    current: instanceSecret(current),
    accepted: texts.map(instanceSecret),
  }
}

/** The accepted secret of a version; null where no such one is configured. */
export function secretOfVersion({ accepted }: InstanceSecrets, version: string): InstanceSecret | null {
  return accepted.find((secret) => secret.version === version) ?? null
}

function instanceSecret(text: string): InstanceSecret {
  const version = createHmac('sha256', text).update('fieldfare version of the instance secret').digest('hex')
  return { text, version: version.slice(0, 8) }
}
