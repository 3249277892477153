/** A request of this server to another one, as it arrived there. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
  /** Status of the response; 0 where there was none. */
  readonly status: number
}

export type Responder = (request: Request) => Response | Promise<Response>

/** Failure at an address or at all addresses with a prefix. */
export interface Failure {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly redirect?: string
  readonly contentType?: string
  /** `timeout`: no answer ever comes; `refused`: nobody listens. */
  readonly broken?: 'timeout' | 'refused'
  /** Only the first so many requests. */
  readonly times?: number
}

interface Trouble {
  readonly start: string
  readonly failure: Failure
  left: number
}

const activityJson = 'application/activity+json; charset=utf-8'

/** The other servers: addresses, their responses, and the requests received. No real host is reached. */
export class Network {
  readonly #served = new Map<string, Responder>()
  readonly #hosts = new Map<string, Responder>()
  readonly #troubles = new Set<Trouble>()
  readonly #exchanges: Exchange[] = []

  /** Removes every server, failure and recorded request. */
  clear(): void {
    this.#served.clear()
    this.#hosts.clear()
    this.#troubles.clear()
    this.#exchanges.splice(0)
  }

  /** Answers `url` with a document: 200, as ActivityPub. Changes of the object show at the next request. */
  serve(url: string, document: object): void {
    const answer = { headers: { 'content-type': activityJson } }
    this.respond(url, () => new Response(JSON.stringify(document), answer))
  }

  /** Answers `url` with whatever `respond` makes of the request. */
  respond(url: string, respond: Responder): void {
    this.#served.set(withoutFragment(url), respond)
  }

  /** Current responder of `url`, to be wrapped by another. */
  served(url: string): Responder {
    return this.#served.get(withoutFragment(url)) ?? (() => new Response('', { status: 404 }))
  }

  /** Serves a whole host, except addresses that are served themselves. */
  serveHost(host: string, respond: Responder): void {
    this.#hosts.set(host, respond)
  }

  /** There never was anything at this address. */
  missing(url: string): void {
    this.respond(url, () => new Response('', { status: 404 }))
  }

  /** Serves 410 from now on, with a Tombstone unless `tombstone` is false. */
  gone(url: string, tombstone = true): void {
    const document = tombstone ? JSON.stringify({ id: url, type: 'Tombstone' }) : ''
    const answer = { status: 410, headers: { 'content-type': activityJson } }
    this.respond(url, () => new Response(document, answer))
  }

  /** Lets requests to addresses starting with `start` fail; what it answers ends that. */
  fail(start: string, failure: Failure): () => void {
    const trouble: Trouble = { start, failure, left: failure.times ?? Number.POSITIVE_INFINITY }
    this.#troubles.add(trouble)
    return () => void this.#troubles.delete(trouble)
  }

  /** Holds back the usual answer of `url` from the first request, which settles `asked`, until `release` is called. */
  hold(url: string): { readonly asked: Promise<void>; release(): void } {
    const usual = this.served(url)
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.respond(url, async (request) => {
      asked.resolve()
      await released.promise
      return usual(request)
    })
    return { asked: asked.promise, release: released.resolve }
  }

  /** Requests to addresses starting with `start`, oldest first. */
  requests(start: string, method?: 'GET' | 'POST'): readonly Exchange[] {
    return this.#exchanges.filter(
      (one) => one.url.startsWith(start) && (method === undefined || one.method === method),
    )
  }

  /** A place in the record: what came later is `since` it. */
  mark(): number {
    return this.#exchanges.length
  }

  since(mark: number): readonly Exchange[] {
    return this.#exchanges.slice(mark)
  }

  /** Stands in for the global `fetch` of the runtime; redirects are answered, never followed. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    // Not `text()`, which complains of what is encrypted.
    const bytes = request.body === null ? new ArrayBuffer() : await request.clone().arrayBuffer()
    const body = new TextDecoder().decode(bytes)
    const note = (status: number) =>
      this.#exchanges.push({
        method: request.method,
        url: request.url,
        headers: new Headers(request.headers),
        body,
        status,
      })
    try {
      const response = await this.#answer(request)
      note(response.status)
      return response
    } catch (failure) {
      note(0)
      throw failure
    }
  }

  async #answer(request: Request): Promise<Response> {
    const failed = await this.#trouble(request)
    if (failed !== null) return failed
    const respond = this.#served.get(request.url) ?? this.#hosts.get(new URL(request.url).host)
    if (respond === undefined) throw new Error(`No test put a server at ${request.url}`)
    return respond(request)
  }

  async #trouble(request: Request): Promise<Response | null> {
    const trouble = [...this.#troubles].find(({ start, left }) => request.url.startsWith(start) && left > 0)
    if (trouble === undefined) return null
    trouble.left -= 1
    const { broken, redirect, status, headers, body, contentType } = trouble.failure
    if (broken === 'refused') throw new Error(`Nobody listens at ${request.url}`)
    if (broken === 'timeout') throw new DOMException(`${request.url} does not answer`, 'TimeoutError')
    if (redirect !== undefined)
      return new Response(null, { status: status ?? 302, headers: { location: redirect } })
    if (status !== undefined) return new Response(body ?? '', { status, headers: { ...headers } })
    const usual = this.#served.get(request.url)
    if (contentType === undefined || usual === undefined) return null
    const answer = await usual(request)
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': contentType } })
  }
}

function withoutFragment(url: string): string {
  return new URL(url).href.split('#')[0] ?? url
}
