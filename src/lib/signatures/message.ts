import { decodeBase64, parseDictionary } from './structured'

/** An HTTP request as input of signatures. */
export interface HttpMessage {
  readonly method: string
  /** Request URL; for incoming requests built by `publicUrlOf`. */
  readonly url: string
  readonly headers: Headers
  /** Null for requests without a body. */
  readonly body: Uint8Array | null
}

/**
 * The URL of a request under our configured origin.
 *
 * Never the `Host` header: a relay of a signed request could write another host there, and behind a proxy it is
 * the proxy's.
 */
export function publicUrlOf(origin: string, requestUrl: string): string {
  const { pathname, search } = new URL(requestUrl)
  return `${origin}${pathname}${search}`
}

/**
 * Signature value of a header field: its lines, joined; `host` is taken from the URL. Null for invalid names
 * too.
 */
export function fieldValue(message: HttpMessage, name: string): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return null
  if (name === 'host') return new URL(message.url).host
  return message.headers.get(name)?.trim() ?? null
}

/** Whether a digest is required for the body. An empty one counts: otherwise an attacker could fill it. */
export function carriesBody(message: HttpMessage): boolean {
  return message.body !== null || !/^(get|head)$/i.test(message.method)
}

/** The path with its query as sent. */
export function targetOf(message: HttpMessage): { readonly path: string; readonly query: string } {
  const { pathname, search } = new URL(message.url)
  return { path: pathname, query: search }
}

const encoder = new TextEncoder()
const algorithms: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'SHA-256'],
  ['sha-512', 'SHA-512'],
])

/** The `Digest` header for draft-cavage. */
export async function digestOf(body: Uint8Array | string): Promise<string> {
  return `SHA-256=${(await hash('SHA-256', bytesOf(body))).toBase64()}`
}

/** The `Content-Digest` header (RFC 9530) for RFC 9421. */
export async function contentDigestOf(body: Uint8Array | string): Promise<string> {
  return `sha-256=:${(await hash('SHA-256', bytesOf(body))).toBase64()}:`
}

/**
 * Whether a `Digest` header matches the body. At least one known algorithm is required; every known one must
 * match.
 */
export async function matchesDigest(header: string, body: Uint8Array): Promise<boolean> {
  const entries = header.split(',').map((part) => /^\s*([\w-]+)=(\S+)\s*$/.exec(part))
  const named = new Map<string, Uint8Array | null>()
  for (const entry of entries) {
    const name = entry?.[1]?.toLowerCase()
    if (name === undefined || named.has(name)) return false
    named.set(name, decodeBase64(entry?.[2] ?? ''))
  }
  return allMatch(named, body)
}

/** Whether a `Content-Digest` header matches the body, by the same rule. */
export async function matchesContentDigest(header: string, body: Uint8Array): Promise<boolean> {
  const dictionary = parseDictionary(header)
  if (dictionary === null) return false
  const named = [...dictionary].map(([name, member]): readonly [string, Uint8Array | null] => [
    name,
    member.kind === 'item' && member.bare.kind === 'bytes' ? member.bare.value : null,
  ])
  return allMatch(new Map(named), body)
}

async function allMatch(named: ReadonlyMap<string, Uint8Array | null>, body: Uint8Array): Promise<boolean> {
  let fitting = 0
  for (const [name, claimed] of named) {
    const algorithm = algorithms.get(name)
    if (algorithm === undefined) continue
    if (claimed === null || !sameBytes(claimed, await hash(algorithm, body))) return false
    fitting += 1
  }
  return fitting > 0
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b)
}

async function hash(algorithm: string, body: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, body))
}

function bytesOf(body: Uint8Array | string): Uint8Array {
  return typeof body === 'string' ? encoder.encode(body) : body
}
