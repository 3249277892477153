import { base64url } from '../secrets'

const encoder = new TextEncoder()
const hour = 3_600_000

/** Reuse time of a token; it is valid an hour longer, for clocks that go wrong. At most a day is allowed. */
export const tokenHours = 12

/** Signs with the key of the instance: ECDSA on P-256 with SHA-256, both numbers in a row. */
export type SignPush = (bytes: Uint8Array) => Promise<Uint8Array>

/**
 * VAPID token (RFC 8292): identifies this server to the push service at `origin`, with a contact address of the
 * operator.
 */
export async function vapidToken(
  sign: SignPush,
  claims: { readonly origin: string; readonly contact: string; readonly now: Date },
): Promise<string> {
  const expires = Math.floor((claims.now.getTime() + (tokenHours + 1) * hour) / 1000)
  const parts = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: claims.origin, exp: expires, sub: claims.contact },
  ]
  const signed = parts.map((part) => base64url(encoder.encode(JSON.stringify(part)))).join('.')
  return `${signed}.${base64url(await sign(encoder.encode(signed)))}`
}
