import { Buffer } from 'node:buffer'
import { createECDH, randomBytes, verify } from 'node:crypto'
import ece from 'http_ece'
import * as z from 'zod'

/** Payload that Mastodon pushes; strict, so that no further field gets out. */
const Message = z.strictObject({
  access_token: z.string(),
  preferred_locale: z.string(),
  notification_id: z.int(),
  notification_type: z.string(),
  icon: z.url(),
  title: z.string(),
  body: z.string(),
})

/** Payload for the service worker of this server: no token, and the page it opens. */
const BrowserMessage = Message.extend({ access_token: z.literal(''), url: z.string(), tag: z.string() })

const Claims = z.strictObject({ aud: z.string(), exp: z.number(), sub: z.string() })

export interface Pushed {
  readonly headers: Headers
  readonly sizeBytes: number
  readonly message: z.infer<typeof Message> & { readonly url?: string; readonly tag?: string }
  readonly claims: z.infer<typeof Claims>
  /** VAPID key of the server, as the subscription registered it. */
  readonly serverKey: string
}

/**
 * Makes the keys of somebody's phone, and reads what is encrypted for them with a library that is not ours (http_ece);
 * signatures are held against the key they name with Node's cryptography.
 */
export function pushReader(standard: boolean, isBrowser = false) {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const authSecret = randomBytes(16).toString('base64url')
  return {
    keys: { p256dh: keys.getPublicKey('base64url'), auth: authSecret },
    /** Throws for what is not for these keys, and for what no client would take. */
    read(headers: Headers, body: Buffer): Pushed {
      const { parameters, token, serverKey } = standard ? readStandard(headers) : readDraft(headers)
      const plain = ece.decrypt(body, { ...parameters, privateKey: keys, authSecret })
      const message = (isBrowser ? BrowserMessage : Message).parse(JSON.parse(plain.toString('utf8')))
      const claims = claimsIn(token, serverKey)
      return { headers, sizeBytes: body.byteLength, message, claims, serverKey }
    },
  }
}

/** RFC 8291 and RFC 8292. */
function readStandard(headers: Headers) {
  if (headers.get('content-encoding') !== 'aes128gcm') throw new Error('not encrypted as the standard has it')
  const found = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.get('authorization') ?? '')
  const [, token = '', serverKey = ''] = found ?? []
  return { parameters: { version: 'aes128gcm' } as const, token, serverKey }
}

/** The drafts before them, as relays read them. */
function readDraft(headers: Headers) {
  if (headers.get('content-encoding') !== 'aesgcm') throw new Error('not encrypted as the draft has it')
  const [, salt = ''] = /^salt=([\w-]{22})$/.exec(headers.get('encryption') ?? '') ?? []
  const cryptoKey = headers.get('crypto-key') ?? ''
  const [, dh = '', serverKey = ''] = /^dh=([\w-]{87});p256ecdsa=([\w-]{87})$/.exec(cryptoKey) ?? []
  const [, token = ''] = /^WebPush ([\w.-]+)$/.exec(headers.get('authorization') ?? '') ?? []
  return { parameters: { version: 'aesgcm', dh, salt } as const, token, serverKey }
}

/** Claims of the token, if the key signed it. */
function claimsIn(token: string, serverKey: string): z.infer<typeof Claims> {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  const point = Buffer.from(serverKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const signed = Buffer.from(`${head}.${claims}`)
  const given = Buffer.from(signature, 'base64url')
  if (!verify('sha256', signed, { key, format: 'jwk', dsaEncoding: 'ieee-p1363' }, given))
    throw new Error('the token is not signed with the key it names')
  z.strictObject({ typ: z.literal('JWT'), alg: z.literal('ES256') }).parse(read(head))
  return Claims.parse(read(claims))
}
