import { base64url } from '../secrets'

const curve = { name: 'ECDH', namedCurve: 'P-256' }
const pointBytes = 65
const secretBytes = 16

/** The keys of a subscription, as base64url without padding. */
export interface ReceiverKeys {
  readonly p256dh: string
  readonly auth: string
}

/**
 * Parses the keys as clients send them, in either alphabet of base64, padded or not; null unless they are an
 * uncompressed point on P-256 and 16 bytes.
 */
export async function readReceiverKeys({ p256dh, auth }: ReceiverKeys): Promise<ReceiverKeys | null> {
  const [point, secret] = [bytesOf(p256dh), bytesOf(auth)]
  if (point?.byteLength !== pointBytes || secret?.byteLength !== secretBytes) return null
  if (!(await isOnCurve(point))) return null
  return { p256dh: base64url(point), auth: base64url(secret) }
}

/** Imports the public key of a receiver. Throws if it is not a point on the curve. */
export function importPoint(point: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', point, curve, true, [])
}

async function isOnCurve(point: Uint8Array): Promise<boolean> {
  try {
    await importPoint(point)
    return true
  } catch (refusal) {
    if (refusal instanceof DOMException) return false
    throw refusal
  }
}

function bytesOf(text: string): Uint8Array | null {
  const plain = text
    .trim()
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
  return /^[\w-]{1,200}$/.test(plain) && plain.length % 4 !== 1 ? fromBase64url(plain) : null
}

export function fromBase64url(text: string): Uint8Array {
  return Uint8Array.fromBase64(text, { alphabet: 'base64url' })
}
