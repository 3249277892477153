import type { KeyName, TestKey } from './keys'

/**
 * Signs as other servers do. On purpose nothing of `src/lib/signatures` is used: what both sides got wrong
 * together would pass.
 */
export interface SigningInput {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly keyId: string
  readonly key: TestKey
  readonly at: Date
  readonly body: string | null
  /** Headers that the signature covers instead of those of Mastodon. */
  readonly covered?: readonly string[]
  /** The `algorithm` or `alg` parameter; null leaves it out. */
  readonly algorithm?: string | null
}

export type SignatureKind = 'cavage' | 'rfc9421'

type Headers = Readonly<Record<string, string>>

/** The headers that carry the signature, and those it covers. */
export function signed(kind: SignatureKind, request: SigningInput): Promise<Headers> {
  return kind === 'cavage' ? cavage(request) : rfc9421(request)
}

async function cavage(request: SigningInput): Promise<Headers> {
  const { method, keyId, key, at, body } = request
  const url = new URL(request.url)
  const headers: Record<string, string> = { host: url.host, date: at.toUTCString() }
  if (body !== null) {
    headers['digest'] = `SHA-256=${await sha256(body)}`
    headers['content-type'] = 'application/activity+json'
  }
  const covered = request.covered ?? ['(request-target)', ...Object.keys(headers)]
  const created = Math.floor(at.getTime() / 1000)
  const derived: Record<string, string> = {
    '(request-target)': `${method.toLowerCase()} ${url.pathname}${url.search}`,
    '(created)': String(created),
  }
  const base = covered.map((name) => `${name}: ${derived[name] ?? headers[name]}`).join('\n')
  const algorithm = request.algorithm === undefined ? cavageAlgorithm(key.name) : request.algorithm
  const parameters = [
    `keyId="${keyId}"`,
    ...(algorithm === null ? [] : [`algorithm="${algorithm}"`]),
    ...(covered.includes('(created)') ? [`created=${created}`] : []),
    `headers="${covered.join(' ')}"`,
    `signature="${await signature(key, base)}"`,
  ]
  return { ...headers, signature: parameters.join(',') }
}

async function rfc9421(request: SigningInput): Promise<Headers> {
  const { method, keyId, key, at, body } = request
  const url = new URL(request.url)
  const headers: Record<string, string> = { host: url.host, date: at.toUTCString() }
  if (body !== null) {
    headers['content-digest'] = `sha-256=:${await sha256(body)}:`
    headers['content-type'] = 'application/activity+json'
  }
  const derived: Record<string, string> = {
    '@method': method,
    '@target-uri': request.url,
    '@authority': url.host,
    '@path': url.pathname,
    '@query': url.search === '' ? '?' : url.search,
  }
  const covered = request.covered ?? ['@method', '@target-uri', ...(body === null ? [] : ['content-digest'])]
  const list = covered.map((name) => `"${name}"`).join(' ')
  const alg = request.algorithm === undefined ? null : request.algorithm
  const created = Math.floor(at.getTime() / 1000)
  const parameters = `(${list});created=${created};keyid="${keyId}"${alg === null ? '' : `;alg="${alg}"`}`
  const lines = covered.map((name) => `"${name}": ${derived[name] ?? headers[name]}`)
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
  return {
    ...headers,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${await signature(key, base)}:`,
  }
}

function cavageAlgorithm(name: KeyName): string {
  return name === 'ed25519' ? 'hs2019' : 'rsa-sha256'
}

async function signature(key: TestKey, base: string): Promise<string> {
  const algorithm = key.name === 'ed25519' ? 'Ed25519' : 'RSASSA-PKCS1-v1_5'
  const bytes = await crypto.subtle.sign(algorithm, key.privateKey, new TextEncoder().encode(base))
  return base64(bytes)
}

async function sha256(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  return base64(digest)
}

/** Node, which the benchmark runs in, has no method for it yet. */
function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
