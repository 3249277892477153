/** A request between the servers, as the router saw it. */
export interface Passage {
  readonly from: string | null
  readonly method: string
  readonly url: string
  readonly body: string
  readonly headers: Headers
  /** 0: no answer came. */
  readonly status: number
}

export type Host = (request: Request) => Promise<Response>

/** Response to the requests that match. */
export interface Fault {
  readonly fits: (request: Request, body: string) => boolean
  /** Answers in the place of the host; `pass` asks the host after all. */
  readonly happens: (request: Request, pass: () => Promise<Response>) => Promise<Response>
  /** Only so many times. */
  readonly times?: number
}

interface Broken {
  readonly fault: Fault
  left: number
}

export class Router {
  readonly #hosts = new Map<string, Host>()
  readonly #faults = new Set<Broken>()
  readonly #passages: Passage[] = []
  readonly #real = globalThis.fetch

  /** From now on every `fetch` of this process and of all Workers it runs goes through here. */
  install(): void {
    globalThis.fetch = (input, init) => this.route(new Request(input, init))
  }

  uninstall(): void {
    globalThis.fetch = this.#real
  }

  /** Leads requests to `host` to `answer`. */
  add(host: string, answer: Host): void {
    this.#hosts.set(host, answer)
  }

  /** Forgets hosts other than `kept`, faults and passages. */
  reset(kept: ReadonlySet<string>): void {
    for (const host of this.#hosts.keys()) if (!kept.has(host)) this.#hosts.delete(host)
    this.#faults.clear()
    this.#passages.length = 0
  }

  /** Lets requests go wrong; what it answers ends that. */
  inject(fault: Fault): () => void {
    const broken = { fault, left: fault.times ?? Number.POSITIVE_INFINITY }
    this.#faults.add(broken)
    return () => void this.#faults.delete(broken)
  }

  /** Requests to `host` so far, oldest first. */
  passages(host: string, method?: 'GET' | 'POST'): readonly Passage[] {
    return this.#passages.filter(
      (one) => new URL(one.url).host === host && (method === undefined || one.method === method),
    )
  }

  /** Routes a `fetch` of any instance. */
  async route(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (url.hostname === '127.0.0.1' || url.hostname === 'localhost') return this.#real(request)
    const body = request.body === null ? '' : await request.clone().text()
    const response = await this.#answer(request, body).catch((failure: unknown) => {
      this.#note(request, body, 0)
      throw failure
    })
    this.#note(request, body, response.status)
    return response
  }

  #note({ method, url, headers }: Request, body: string, status: number): void {
    const from = /https:\/\/[^\s;)"]+/.exec(headers.get('user-agent') ?? '')?.[0] ?? null
    this.#passages.push({ from, method, url, body, headers: new Headers(headers), status })
  }

  #answer(request: Request, body: string): Promise<Response> {
    const host = this.#hosts.get(new URL(request.url).host)
    const pass = async () => {
      if (host === undefined) throw new Error(`No server is at ${request.url}`)
      return host(request.clone())
    }
    const broken = [...this.#faults].find(({ fault, left }) => left > 0 && fault.fits(request.clone(), body))
    if (broken === undefined) return pass()
    broken.left -= 1
    return broken.fault.happens(request, pass)
  }
}
