import type { MiddlewareHandler } from 'hono'
import { allowsAnonymousReads, type Config } from './config'
import { admitAnonymous, admitNetwork } from './domain/sessions/flood'
import { clientAddress, networkOf } from './lib/network'
import { matchesEtag, prefersData } from './lib/request-headers'
import type { CachedResponse } from './lib/response-cache'
import type { AppContext, AppEnv } from './ports/app-env'
import { visitorOf } from './web/i18n/reader'

/**
 * Serves responses that handlers allowed to be cached (`allowCaching`) from the memory of the isolate, without a round
 * trip, and stores new ones.
 *
 * Each has an `ETag`, and is 304 for clients that name it: browsers and caches keep it for longer than they may use it unasked.
 *
 * Only requests without any credentials get them, and only where everybody may read: with mandatory signatures, limited
 * federation or mandatory sign-in nothing is cached.
 */
export const cachedResponses: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { responses, config } = c.get('ctx')
  if (!isForEverybody(config) || !isPlain(c.req.raw)) return next()
  const key = keyOf(c.req.raw)
  const cached = responses.get(key)
  if (cached !== null) {
    await admitUse(c, cached)
    return respond(c, cached)
  }
  const recording = responses.record()
  await next()
  const caching = c.get('caching')
  const headers = cacheableHeaders(c.res, key.startsWith('page ') ? pageVary : dataVary)
  if (caching === undefined || headers === null) return
  const body = await c.res.text()
  const etag = headers['etag'] ?? (await etagOf(body))
  const response = { body, headers: { ...headers, etag }, isCounted: caching.isCounted }
  recording.keep(key, response, caching.seconds)
  const whole = new Response(body, c.res)
  whole.headers.set('ETag', etag)
  c.res = matches(c, etag) ? withoutBody(whole) : whole
}

/** The cached response, or 304 for a client that has it already. */
function respond(c: AppContext, { body, headers }: CachedResponse): Response {
  const { etag = '' } = headers
  const response = c.body(body, 200, headers)
  return matches(c, etag) ? withoutBody(response) : response
}

function matches(c: AppContext, etag: string): boolean {
  return matchesEtag(c.req.header('if-none-match'), etag)
}

function withoutBody({ headers }: Response): Response {
  const response = new Response(null, { status: 304, headers })
  response.headers.delete('Content-Type')
  return response
}

/** Weak, since what serves it may compress it. */
async function etagOf(body: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body)))
  return `W/"${digest.slice(0, 12).toHex()}"`
}

function isForEverybody(config: Config): boolean {
  const { signedOnly, limited } = config.federation
  return !signedOnly && !limited && allowsAnonymousReads(config)
}

/** Headers that identify the sender of a request, or state what no response here is compared with. */
const particular = ['authorization', 'signature', 'signature-input', 'cookie', 'if-modified-since']

function isPlain({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !particular.some((name) => headers.has(name))
}

/** The whole address, since hosts differ, and which of the two forms is preferred: document, or page with its audience. */
function keyOf(request: Request): string {
  const { url, headers } = request
  if (prefersData(headers.get('accept'))) return `data ${url}`
  const { language, timeZone } = visitorOf(request)
  return `page ${language} ${timeZone} ${url}`
}

/** Uses of an address in a minute that are counted by this isolate alone: the platform's counters cost a call each. */
const freeUses = 60

/** Counts a request as its handler would, from the sixtieth in a minute on. */
async function admitUse(c: AppContext, { isCounted }: CachedResponse): Promise<void> {
  const ctx = c.get('ctx')
  const ip = clientAddress(c.req.raw.headers)
  if (ctx.responses.countUse(networkOf(ip)) <= freeUses) return
  await admitNetwork(ctx, ip)
  if (isCounted) await admitAnonymous(ctx, ip)
}

/** Headers that a response has from its handler. Others are set for each request, or are about its sender. */
const ownHeaders = [
  'cache-control',
  'content-security-policy',
  'content-type',
  'deprecation',
  'etag',
  'link',
  'vary',
]

/** Request headers that the response may depend on: those in the key, and those whose requests are not cached. */
const dataVary: ReadonlySet<string> = new Set(['accept', 'authorization', 'cookie', 'origin', 'signature'])
const pageVary: ReadonlySet<string> = new Set([...dataVary, 'accept-language'])

/** Headers to store, or null where the response is not public. */
function cacheableHeaders(
  { status, headers }: Response,
  knownVary: ReadonlySet<string>,
): Readonly<Record<string, string>> | null {
  const vary = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  const isShared = /^public\b/.test(headers.get('cache-control') ?? '') && !headers.has('set-cookie')
  if (status !== 200 || !isShared || !vary.every((name) => name === '' || knownVary.has(name))) return null
  return Object.fromEntries(
    ownHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
