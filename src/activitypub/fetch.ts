import { Parser } from 'htmlparser2'
import { instanceActorUri, keyIdOf } from '../contract/addresses'
import { instanceActorId } from '../contract/ids'
import { combineQueries, execute } from '../db/query'
import { ensureInstanceActor, findInstanceActor } from '../domain/instance/keys'
import { mayContact } from '../domain/servers/limits'
import { signatureOf } from '../domain/servers/signature'
import { NotAsked, Unreachable } from '../errors'
import { addressProblem, type HttpResponse, readBody, redirectOf, refusedAddress } from '../lib/outgoing'
import { type SignatureScheme, type SigningKey, signRequest } from '../lib/signatures/sign'
import type { Ctx } from '../ports/ctx'
import {
  backoffReason,
  isHostFailure,
  knownScheme,
  learnScheme,
  mayRejectSignature,
  recordNoResponse,
  recordResponse,
  type SignatureVariant,
  variantsAfter,
} from './budgets'
import { normalise } from './vocab/normalise'

/** Result of fetching a document. */
export type FetchResult =
  /** A JSON object whose `id` is `url`, where it was fetched. */
  | { readonly kind: 'found'; readonly document: object; readonly url: string }
  /** Deleted, according to its server (410). */
  | { readonly kind: 'gone' }
  /** 404, which may also mean that this server may not see it. */
  | { readonly kind: 'missing' }
  /** Permanent: not visible to this server, not allowed to be fetched, or not the claimed document. */
  | {
      readonly kind: 'refused'
      readonly reason: string
      /** Request limit exceeded. */
      readonly spent?: true
    }
  /** Temporary: a later retry may succeed. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface FetchOptions {
  /** Follows the link of a page to its document, as for an address typed by a user. */
  readonly acceptsHtml?: boolean
  /** Refuses redirects and links to any other host. */
  readonly sameHostOnly?: boolean
  /** Request limit; each redirect and each further signature variant counts as one. */
  readonly requests?: number
}

/**
 * Fetches the ActivityPub document at `url`, signed by the instance actor.
 *
 * Its `id` must be the address it came from; another `id` is fetched once, and must agree. Servers that refuse the
 * signature get another variant, which is remembered where it helped (`signedRequest`). Hosts that failed a moment
 * ago are skipped (`backoffReason`). Never throws for remote failures. One D1 round trip per host.
 */
export async function fetchDocument(ctx: Ctx, url: string, options: FetchOptions = {}): Promise<FetchResult> {
  try {
    const fetcher = new DocumentFetcher(ctx, options)
    return await fetcher.run(url)
  } catch (failure) {
    if (failure instanceof RequestLimitExceeded)
      return { kind: 'refused', reason: failure.message, spent: true }
    if (failure instanceof NotAsked) return { kind: 'refused', reason: failure.message }
    if (failure instanceof Unreachable) return { kind: 'unreachable', reason: failure.message }
    throw failure
  }
}

interface HostSigning {
  readonly scheme: SignatureScheme | null
  readonly key: SigningKey
}

/** Request limit exceeded, as by servers that redirect in circles. */
class RequestLimitExceeded extends NotAsked {}

const mostRequests = 10
const mostRedirects = 3

/** Fetch of one document. A single limit covers all its requests, wherever redirects lead. */
class DocumentFetcher {
  readonly #ctx: Ctx
  readonly #options: FetchOptions
  readonly #signing = new Map<string, HostSigning | null>()
  #requestsLeft: number
  #host: string | null = null

  constructor(ctx: Ctx, options: FetchOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#requestsLeft = options.requests ?? mostRequests
  }

  async run(url: string): Promise<FetchResult> {
    if (this.#options.sameHostOnly === true) this.#host = hostOf(url)
    const first = await this.#get(url, this.#options.acceptsHtml ?? false)
    if (first.kind !== 'page') return this.#matchId(first)
    const target = alternateOf(first.html, first.url)
    if (target === null) return { kind: 'refused', reason: `${first.url} is a page without a document` }
    return this.#matchId(await this.#get(target, false))
  }

  /** Fetches the address that a document names as its own id, where that differs. Once. */
  async #matchId(found: FetchResult | Page): Promise<FetchResult> {
    if (found.kind === 'page') return { kind: 'refused', reason: `${found.url} is a page` }
    if (found.kind !== 'found' || isAt(found)) return found
    const id = idOf(found.document)
    if (id === null) return { kind: 'refused', reason: `${found.url} has no id` }
    const again = await this.#get(id, false)
    if (again.kind === 'page' || (again.kind === 'found' && !isAt(again)))
      return { kind: 'refused', reason: `${found.url} names an id that is not its own` }
    return again
  }

  async #get(url: string, pages: boolean): Promise<FetchResult | Page> {
    let target = withoutFragment(url)
    for (let step = 0; step <= mostRedirects; step += 1) {
      const answer = await this.#request(target, pages)
      if (answer === null) return { kind: 'refused', reason: `${hostOf(target)} is not spoken with` }
      const next = redirectOf(answer)
      if (next === null) return read(answer, pages)
      await answer.body?.cancel()
      target = withoutFragment(next)
    }
    return { kind: 'refused', reason: `${url} redirects too often` }
  }

  /**
   * Sends the request with each signature variant until one is accepted; null where the host may not be contacted.
   */
  async #request(url: string, pages: boolean): Promise<HttpResponse | null> {
    const { federation, ownDomains } = this.#ctx.config
    const problem = addressProblem(url, { testHosts: federation.testHosts, ownHosts: ownDomains })
    if (problem !== null) throw new NotAsked(refusedAddress(url.slice(0, 200), problem))
    const host = hostOf(url)
    if (this.#host !== null && host !== this.#host) throw new NotAsked(`${this.#host} leads to ${host}`)
    const backoff = backoffReason(this.#ctx, host)
    if (backoff !== null) throw new Unreachable(backoff)
    const signing = await this.#signingFor(host)
    if (signing === null) return null
    const known = knownScheme(this.#ctx, host, signing.scheme)
    const first: SignatureVariant = { scheme: known ?? 'cavage' }
    let answer = await this.#send(url, { pages, key: signing.key, variant: first })
    if (answer.status < 300) await learnScheme(this.#ctx, host, { ...first, wasFirst: true })
    for (const variant of variantsAfter(this.#ctx, url, { known, status: answer.status })) {
      await answer.body?.cancel()
      answer = await this.#send(url, { pages, key: signing.key, variant })
      if (answer.status < 300) await learnScheme(this.#ctx, host, { ...variant, wasFirst: false })
      if (!mayRejectSignature(answer.status)) break
    }
    return answer
  }

  async #send(
    url: string,
    how: { readonly pages: boolean; readonly key: SigningKey; readonly variant: SignatureVariant },
  ): Promise<HttpResponse> {
    this.#requestsLeft -= 1
    if (this.#requestsLeft < 0) throw new RequestLimitExceeded('Too many requests for one document')
    const accept = how.pages ? acceptActivityOrPage : acceptActivity
    const order = { ...how.variant, key: how.key, now: this.#ctx.clock.now() }
    const request = await signRequest({ method: 'GET' as const, url, headers: { accept } }, order)
    return this.#recorded(hostOf(url), () => this.#ctx.http.send({ ...request, redirects: 'answer' }))
  }

  async #recorded(host: string, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    try {
      const answer = await send()
      recordResponse(this.#ctx, host, answer)
      return answer
    } catch (failure) {
      if (failure instanceof Unreachable && isHostFailure(failure)) recordNoResponse(this.#ctx, host)
      throw failure
    }
  }

  async #signingFor(host: string): Promise<HostSigning | null> {
    const known = this.#signing.get(host)
    if (known !== undefined) return known
    const ctx = this.#ctx
    const facts = await execute(
      ctx.db,
      combineQueries({
        allowed: mayContact(ctx, host),
        scheme: signatureOf(ctx, host),
        actor: findInstanceActor(ctx),
      }),
    )
    const signing = facts.allowed
      ? { scheme: facts.scheme, key: await instanceActorKey(ctx, facts.actor) }
      : null
    this.#signing.set(host, signing)
    return signing
  }
}

async function instanceActorKey(
  ctx: Ctx,
  found: Parameters<typeof ensureInstanceActor>[1],
): Promise<SigningKey> {
  const { privateKey } = await ensureInstanceActor(ctx, found)
  const keyId = keyIdOf(instanceActorUri(ctx.config.origin))
  return { keyId, sign: (bytes) => ctx.vault.sign(privateKey, bytes, instanceActorId) }
}

interface Page {
  readonly kind: 'page'
  readonly html: string
  readonly url: string
}

async function read(answer: HttpResponse, pages: boolean): Promise<FetchResult | Page> {
  const { status, url, headers } = answer
  const type = headers.get('content-type')
  const readable = status >= 200 && status < 300 && (isActivityType(type) || (pages && isPageType(type)))
  if (!readable) {
    await answer.body?.cancel()
    return failureOf(answer)
  }
  const bytes = await readBody(answer)
  if (!isActivityType(type)) return { kind: 'page', html: new TextDecoder().decode(bytes), url }
  const document = objectIn(bytes)
  return document === null
    ? { kind: 'refused', reason: `${url} is no JSON object` }
    : { kind: 'found', document, url: withoutFragment(url) }
}

function failureOf({ status, url, headers }: HttpResponse): FetchResult {
  if (status === 410) return { kind: 'gone' }
  if (status === 404) return { kind: 'missing' }
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'unreachable', reason: `${url} answered ${status}` }
  if (status >= 200 && status < 300)
    return { kind: 'refused', reason: `${url} is of the type ${headers.get('content-type')}` }
  return { kind: 'refused', reason: `${url} answered ${status}` }
}

function objectIn(bytes: Uint8Array): object | null {
  try {
    const value = normalise(
      JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)),
    )
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch (failure) {
    if (failure instanceof SyntaxError || failure instanceof TypeError) return null
    throw failure
  }
}

function isAt({ document, url }: { readonly document: object; readonly url: string }): boolean {
  const id = idOf(document)
  return id !== null && withoutFragment(id) === url
}

function idOf(document: object): string | null {
  const id = 'id' in document ? document.id : null
  return typeof id === 'string' && id !== '' ? id : null
}

function withoutFragment(address: string): string {
  return URL.parse(address)?.href.replace(/#.*$/, '') ?? address
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? ''
}

/** Address of the ActivityPub document that a page links to (`<link rel="alternate">`), or null. */
export function alternateOf(html: string, pageUrl: string): string | null {
  let found: string | null = null
  const parser = new Parser({
    onopentag(name, { rel = '', type, href }) {
      if (found !== null || name !== 'link' || href === undefined || !isActivityType(type ?? null)) return
      if (!rel.toLowerCase().split(/\s+/).includes('alternate')) return
      found = URL.parse(href, pageUrl)?.href ?? null
      parser.reset()
    },
  })
  parser.end(html)
  return found
}

const activityStreams = 'https://www.w3.org/ns/activitystreams'

/** Accept header for requests that need an ActivityPub document. Some servers insist on the profile. */
const acceptActivity = `application/activity+json, application/ld+json; profile="${activityStreams}"`

/** Accept header for requests that also take a page linking to a document. */
const acceptActivityOrPage = `${acceptActivity}, text/html;q=0.1`

/**
 * Whether this is the media type of an ActivityPub document. Any other type is refused, or an uploaded file could
 * pose as an actor of its server.
 */
export function isActivityType(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() === 'application/activity+json') return true
  return type.toLowerCase() === 'application/ld+json' && parameters.some(namesProfile)
}

export function isPageType(contentType: string | null): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType ?? '')
}

/** Matches the profile parameter, which may list several addresses and may be unquoted. */
function namesProfile(parameter: string): boolean {
  const found = /^profile\s*=\s*(["']?)(.*)\1$/i.exec(parameter)
  return found?.[2]?.split(/\s+/).includes(activityStreams) ?? false
}
