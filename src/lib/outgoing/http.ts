import { NotAsked, Unreachable } from '../../errors'
import { type AddressRules, addressProblem } from './address'

/** What to ask another server for. Headers are lower case; the body is sent as it is. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** How many bytes of the answer are read before it counts as broken; 1 MiB when absent. */
  readonly maxBytes?: number
  /** Where the beginning is enough: what is longer than `maxBytes` ends there. */
  readonly tooLong?: 'break' | 'cut'
  /** How long the answer, and each piece of its body, may be waited for; 10 s when absent. */
  readonly timeoutMilliseconds?: number
  /** Lets the platform's cache between keep the answer for so long. */
  readonly cacheSeconds?: number
  /** Answers the redirect itself instead of refusing it: the caller signs again for the new address. */
  readonly redirects?: 'answer' | 'follow'
}

export interface HttpResponse {
  readonly status: number
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly headers: Headers
  /** Broken off with an error after `maxBytes`, or ended there where that was asked for. */
  readonly body: ReadableStream | null
}

/** The runtime's own `fetch`, or a stand-in. */
export type BareFetch = (url: string, init: RequestInit<RequestInitCfProperties>) => Promise<Response>

export interface HttpRules extends AddressRules {
  readonly userAgent: string
}

export interface GuardedHttp {
  send(request: HttpRequest): Promise<HttpResponse>
  /** How many requests that made so far, each redirect being one. */
  sent(): number
}

const mostRedirects = 3
const usualBytes = 1_048_576
const usualMilliseconds = 10_000

/**
 * The only way to other servers: addresses are checked at every step, redirects are followed by hand (GET only),
 * and what takes too long or sends too much is broken off. All of that is `Unreachable`.
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

/** Where an answer sends on to, whatever is written there; null when it does not. */
export function redirectOf({ status, headers, url }: HttpResponse): string | null {
  const location = headers.get('location')
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return null
  return URL.parse(location, url)?.href ?? location
}

async function fetchOnce(bare: BareFetch, rules: HttpRules, request: HttpRequest): Promise<HttpResponse> {
  const { method, url, headers, body = null, cacheSeconds } = request
  const problem = addressProblem(url, rules)
  if (problem !== null) throw new NotAsked(`${url.slice(0, 200)} ${problem}`)
  const canceller = new AbortController()
  const init: RequestInit<RequestInitCfProperties> = {
    ...{ method, body, redirect: 'manual', signal: canceller.signal },
    headers: { ...headers, 'user-agent': rules.userAgent },
    ...(cacheSeconds === undefined ? {} : { cf: { cacheTtlByStatus: { '200-299': cacheSeconds } } }),
  }
  const patience = request.timeoutMilliseconds ?? usualMilliseconds
  const response = await withTimeout(patience, bare(url, init), async () => canceller.abort())
  const mostBytes = request.maxBytes ?? usualBytes
  const isCut = request.tooLong === 'cut'
  if (!isCut && Number(response.headers.get('content-length')) > mostBytes) {
    canceller.abort()
    throw new Unreachable(`${url} answers more than ${mostBytes} bytes`)
  }
  const limited = response.body === null ? null : limit(response.body, { url, mostBytes, patience, isCut })
  return { status: response.status, url, headers: response.headers, body: limited }
}

interface Bounds {
  readonly url: string
  readonly mostBytes: number
  readonly patience: number
  readonly isCut: boolean
}

/** The same body, broken off or cut where it becomes too long or stops coming. A reader that waits costs no patience. */
function limit(body: ReadableStream, { url, mostBytes, patience, isCut }: Bounds): ReadableStream {
  const reader = body.getReader()
  let left = mostBytes
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await withTimeout(patience, reader.read(), (reason) => reader.cancel(reason))
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

/** The whole body of an answer, which must be complete in time: trickling is no way to keep us waiting. */
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

/** Hands the pieces of a body on until `take` says that it has enough, or there is no more; all of it in time. */
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

/** What `work` answers, if it does so in time; every failure is the other server's, and `Unreachable`. */
async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  giveUp: (reason: Unreachable) => Promise<void>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const tooLate = new Unreachable(`No answer within ${milliseconds} ms`)
    timer = setTimeout(() => {
      // First, or the end that giving up puts to a body would pass for its own.
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

/** A signature holds for one address, and what opens one server is nothing for the next. */
function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => !secret.has(name))
  return Object.fromEntries(kept)
}

const secret: ReadonlySet<string> = new Set(['signature', 'signature-input', 'authorization', 'cookie'])
