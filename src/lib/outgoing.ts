import { NotAsked, Unreachable } from '../errors'
import { descriptionOf, type FieldErrorCode } from '../errors/sentences'

/** A request to another server. Headers are lower case; the body is sent unchanged. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Maximum size of the response body before it is aborted; 1 MiB when absent. */
  readonly maxBytes?: number
  /** Handling of a body longer than `maxBytes`: aborted, or truncated if the beginning is enough. */
  readonly tooLong?: 'break' | 'cut'
  /** Timeout for the response, and for each chunk of its body; 10 s when absent. */
  readonly timeoutMilliseconds?: number
  /** Lets the platform's cache keep the response for so long. */
  readonly cacheSeconds?: number
  /** Returns the redirect itself instead of refusing it: the caller signs again for the new address. */
  readonly redirects?: 'answer' | 'follow'
}

export interface HttpResponse {
  readonly status: number
  /** URL of the response, after redirects. */
  readonly url: string
  readonly headers: Headers
  /** Aborted with an error after `maxBytes`, or truncated there if requested. */
  readonly body: ReadableStream | null
}

/** The runtime's own `fetch`, or a test double. */
export type BareFetch = (url: string, init: RequestInit<RequestInitCfProperties>) => Promise<Response>

export interface HttpRules extends AddressRules {
  readonly userAgent: string
}

export interface GuardedHttp {
  send(request: HttpRequest): Promise<HttpResponse>
  /** Number of requests made so far; each redirect counts. */
  sent(): number
}

const mostRedirects = 3
const usualBytes = 1_048_576
const usualMilliseconds = 10_000

/**
 * The only way to other servers: addresses are checked at every step, redirects are followed by hand (GET
 * only), and slow or oversized responses are aborted. Every such failure is `Unreachable`.
 */
export function guardedHttp(bare: BareFetch, rules: HttpRules): GuardedHttp {
  let sent = 0
  const counted: BareFetch = (url, init) => {
    sent += 1
    return bare(url, init)
  }
  return {
    sent: () => sent,
    async send(request) {
      let next = request
      for (let step = 0; step <= mostRedirects; step += 1) {
        const answer = await fetchOnce(counted, rules, next)
        const target = redirectOf(answer)
        if (target === null || request.redirects === 'answer') return answer
        await answer.body?.cancel()
        if (request.redirects !== 'follow' || request.method !== 'GET')
          throw new Unreachable(`${answer.url} redirects`)
        next = { ...next, url: target, headers: withoutCredentials(next.headers) }
      }
      throw new Unreachable(`${request.url} redirects too often`)
    },
  }
}

/** Target of a redirect, unchecked; null if the response is none. */
export function redirectOf({ status, headers, url }: HttpResponse): string | null {
  const location = headers.get('location')
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return null
  return URL.parse(location, url)?.href ?? location
}

async function fetchOnce(bare: BareFetch, rules: HttpRules, request: HttpRequest): Promise<HttpResponse> {
  const { method, url, headers, body = null, cacheSeconds } = request
  const problem = addressProblem(url, rules)
  if (problem !== null) throw new NotAsked(refusedAddress(url.slice(0, 200), problem))
  const canceller = new AbortController()
  const init: RequestInit<RequestInitCfProperties> = {
    method,
    body,
    redirect: 'manual',
    signal: canceller.signal,
    headers: { ...headers, 'user-agent': rules.userAgent },
    ...(cacheSeconds === undefined ? {} : { cf: { cacheTtlByStatus: { '200-299': cacheSeconds } } }),
  }
  const timeout = request.timeoutMilliseconds ?? usualMilliseconds
  const response = await withTimeout(timeout, bare(url, init), async () => canceller.abort())
  const mostBytes = request.maxBytes ?? usualBytes
  const isCut = request.tooLong === 'cut'
  if (!isCut && Number(response.headers.get('content-length')) > mostBytes) {
    canceller.abort()
    throw new Unreachable(`${url} answers more than ${mostBytes} bytes`)
  }
  const limited = response.body === null ? null : limit(response.body, { url, mostBytes, timeout, isCut })
  return { status: response.status, url, headers: response.headers, body: limited }
}

interface Bounds {
  readonly url: string
  readonly mostBytes: number
  readonly timeout: number
  readonly isCut: boolean
}

/** Limits a body by size and by stall time. Time that the consumer takes does not count. */
function limit(body: ReadableStream, { url, mostBytes, timeout, isCut }: Bounds): ReadableStream {
  const reader = body.getReader()
  let left = mostBytes
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await withTimeout(timeout, reader.read(), (reason) => reader.cancel(reason))
      if (done) return controller.close()
      if (value instanceof Uint8Array) left -= value.byteLength
      if (left < 0 && isCut && value instanceof Uint8Array) {
        controller.enqueue(value.subarray(0, value.byteLength + left))
        controller.close()
        return reader.cancel()
      }
      if (left < 0) {
        const tooLong = new Unreachable(`${url} answers more than ${mostBytes} bytes`)
        await reader.cancel(tooLong)
        throw tooLong
      }
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Reads the whole body of a response within one timeout: trickling does not extend it. */
export async function readBody(
  { url, body }: Pick<HttpResponse, 'url' | 'body'>,
  timeoutMilliseconds = usualMilliseconds,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const keep = (chunk: Uint8Array) => {
    chunks.push(chunk)
    return false
  }
  await readPieces({ url, body }, keep, timeoutMilliseconds)
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** Reads a body chunk by chunk until `take` returns true or the body ends, within one timeout. */
export async function readPieces(
  { url, body }: Pick<HttpResponse, 'url' | 'body'>,
  take: (piece: Uint8Array) => boolean,
  timeoutMilliseconds = usualMilliseconds,
): Promise<void> {
  if (body === null) return
  const reader = body.getReader()
  const read = async () => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (!(piece.value instanceof Uint8Array)) throw new Unreachable(`${url} answers no bytes`)
      if (take(piece.value)) return reader.cancel()
    }
  }
  await withTimeout(timeoutMilliseconds, read(), (reason) => reader.cancel(reason))
}

/** Runs `work` with a timeout; every failure is attributed to the other server, as `Unreachable`. */
async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  giveUp: (reason: Unreachable) => Promise<void>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const tooLate = new Unreachable(`No answer within ${milliseconds} ms`)
    timer = setTimeout(() => {
      // Reject first: cancelling the body afterwards would pass for its regular end.
      reject(tooLate)
      giveUp(tooLate).catch(reject)
    }, milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } catch (cause) {
    throw cause instanceof Unreachable ? cause : new Unreachable('The connection failed', { cause })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Removes credentials on redirect: a signature holds for one address, and tokens of one server must not reach
 * the next.
 */
function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => !secret.has(name))
  return Object.fromEntries(kept)
}

const secret: ReadonlySet<string> = new Set(['signature', 'signature-input', 'authorization', 'cookie'])

/** Exceptions from the rule that only public servers may be requested. */
interface AddressRules {
  /** Hosts (with their ports) that development and tests may request at any address, over http as well. */
  readonly testHosts: readonly string[]
  /** Hosts of this server: local objects need no request, and requesting ourselves can loop. */
  readonly ownHosts: readonly string[]
}

const mostCharacters = 4_096

/** Names that resolve to a private network, or not at all. */
const inward: ReadonlySet<string> = new Set(
  'localhost localdomain local internal intranet private corp home lan arpa onion i2p invalid alt'.split(' '),
)

/** Codes of errors about addresses. */
export type AddressProblem = Extract<
  FieldErrorCode,
  `address_${string}` | 'no_address' | 'own_address' | 'private_address'
>

/** Words about an address that may not be requested, for the log. */
export function refusedAddress(address: string, code: AddressProblem): string {
  return `${address} ${descriptionOf({ code, values: {} })}`
}

/**
 * Code of the reason for refusing a request to `address`, or null. Only public https on its usual port, by name.
 *
 * IP addresses are refused without exception: a federated server has a name, and no list of private networks is
 * ever complete. Names are not resolved: a Worker reaches no private network, and its DNS look-ups count as
 * requests.
 */
export function addressProblem(
  address: string,
  { testHosts, ownHosts }: AddressRules,
): AddressProblem | null {
  if (address.length > mostCharacters) return 'address_too_long'
  const url = URL.parse(address)
  if (url === null) return 'no_address'
  if (url.username !== '' || url.password !== '') return 'address_with_credentials'
  if (testHosts.includes(url.host) && /^https?:$/.test(url.protocol)) return null
  if (url.protocol !== 'https:') return 'address_not_https'
  if (url.port !== '') return 'address_with_port'
  if (ownHosts.includes(url.host)) return 'own_address'
  return hostProblem(url.hostname)
}

/**
 * Checks the parsed host: the URL parser has brought every spelling of a number (octal, hexadecimal, one part,
 * full width) into one form.
 */
function hostProblem(hostname: string): AddressProblem | null {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return 'address_by_number'
  // A host must not have two names: limits are looked up by name.
  if (hostname.endsWith('.')) return 'address_with_final_dot'
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || labels.includes('')) return 'address_without_host'
  return inward.has(last) ? 'private_address' : null
}

/** Parses `Retry-After` (seconds or a date) to an instant, capped at `longestMilliseconds`. Null if invalid. */
export function parseRetryAfter(header: string | null, now: Date, longestMilliseconds: number): Date | null {
  if (header === null) return null
  const text = header.trim()
  const asked = /^\d{1,9}$/.test(text) ? now.getTime() + Number(text) * 1000 : Date.parse(text)
  if (Number.isNaN(asked) || asked <= now.getTime()) return null
  return new Date(Math.min(asked, now.getTime() + longestMilliseconds))
}
