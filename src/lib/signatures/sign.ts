import { contentDigestOf, digestOf, publicUrlOf } from './message'
import { signatureBase } from './rfc9421'
import { type BareItem, type InnerList, serialiseList, text } from './structured'

/** Signature scheme that a server accepts. */
export type SignatureScheme = 'cavage' | 'rfc9421'

/**
 * A private key and its holder: the vault, or a courier with the key in memory. RSA with PKCS#1 v1.5 and
 * SHA-256.
 */
export interface SigningKey {
  readonly keyId: string
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>
}

export interface SigningOrder {
  readonly key: SigningKey
  readonly scheme: SignatureScheme
  readonly now: Date
  /** Draft-cavage only: signs the path alone, as some servers expect. */
  readonly withoutQuery?: boolean
}

/** A request to be signed; header names in lower case. */
export interface Unsigned {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

const encoder = new TextEncoder()

/**
 * Signs `request` by adding headers. Host is not among them: the platform sets it from the URL, which is
 * signed. A redirect needs a new signature.
 */
export async function signRequest<R extends Unsigned>(request: R, order: SigningOrder): Promise<R> {
  const added = order.scheme === 'cavage' ? await byCavage(request, order) : await byRfc9421(request, order)
  return { ...request, headers: { ...request.headers, ...added } }
}

/** Never `(created)`: Pleroma's parser read it as empty and refused. */
async function byCavage(request: Unsigned, { key, now, withoutQuery = false }: SigningOrder) {
  const { host, pathname, search } = new URL(request.url)
  const target = `${request.method.toLowerCase()} ${pathname}${withoutQuery ? '' : search}`
  const { body, headers } = request
  const sent: Record<string, string> = { date: now.toUTCString() }
  if (body !== undefined) sent['digest'] = await digestOf(body)
  const type = headers['content-type']
  const lines = [
    ['(request-target)', target],
    ['host', host],
    ...Object.entries(sent),
    ...(body === undefined || type === undefined ? [] : [['content-type', type]]),
  ]
  const signed = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  const signature = (await key.sign(encoder.encode(signed))).toBase64()
  const names = lines.map(([name]) => name).join(' ')
  return {
    ...sent,
    signature: `keyId="${key.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  }
}

async function byRfc9421(request: Unsigned, { key, now }: SigningOrder) {
  const { body, url, method } = request
  const sent: Record<string, string> = { date: now.toUTCString() }
  if (body !== undefined) sent['content-digest'] = await contentDigestOf(body)
  const input = coverage(body === undefined ? [] : ['content-digest'], {
    created: { kind: 'integer', value: Math.floor(now.getTime() / 1000) },
    keyid: text(key.keyId),
    alg: text('rsa-v1_5-sha256'),
  })
  // Fragments are never sent, and key URLs have one.
  const target = publicUrlOf(new URL(url).origin, url)
  const base = signatureBase(input, { method, url: target, headers: new Headers(sent), body: null })
  if (base === null) throw new Error('A covered component is missing from the request')
  const signature = await key.sign(encoder.encode(base))
  return {
    ...sent,
    'signature-input': `sig1=${serialiseList(input)}`,
    signature: `sig1=:${signature.toBase64()}:`,
  }
}

function coverage(fields: readonly string[], parameters: Readonly<Record<string, BareItem>>): InnerList {
  const items = ['@method', '@target-uri', ...fields].map((name) => ({
    kind: 'item' as const,
    bare: text(name),
    parameters: new Map<string, BareItem>(),
  }))
  return { kind: 'list', items, parameters: new Map(Object.entries(parameters)) }
}
