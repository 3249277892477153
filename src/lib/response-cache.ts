/** Response that any anonymous request for its address gets: status 200. */
export interface CachedResponse {
  readonly body: string
  /** Headers of the response itself, without those that every response gets. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether requests for it count for the limit of callers without a token, besides that of their network. */
  readonly isCounted: boolean
}

/**
 * Responses to anonymous requests, cached by this isolate. A write of this isolate to a table that the request had read
 * outdates them at once, one elsewhere when their seconds are over.
 */
export interface Responses {
  get(key: string): CachedResponse | null
  /** Begins to note what this request reads; `keep` stores the response made of that, with its seconds from now. */
  record(): { keep(key: string, response: CachedResponse, seconds: number): void }
  /** Counts a cached response for a network and returns its number in the current minute. */
  countUse(network: string): number
}

/** Moment at which a response was read from the database, and what it was made of. */
export interface ResponseSource {
  /** Tables named by the statements of the request. */
  readonly tables: readonly string[]
  /** Position in the log of writes before the first statement. */
  readonly position: number
}

interface Entry extends ResponseSource {
  readonly response: CachedResponse
  readonly readAt: number
  readonly until: number
  readonly bytes: number
}

/** Bytes of an entry beside its texts, and of a character. */
const overheadBytes = 1_000
const characterBytes = 2

/** Responses in the memory of an isolate: bounded in bytes, the least recently used go first. */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>()
  readonly #bounds: { readonly bytes: number; readonly entryBytes: number }
  #bytes = 0

  constructor(bounds = { bytes: 8 << 20, entryBytes: 256 << 10 }) {
    this.#bounds = bounds
  }

  /** Bytes held now, estimated from above. */
  get bytes(): number {
    return this.#bytes
  }

  /** The response under `key` that is neither expired nor, by `isCurrent`, outdated. */
  get(key: string, now: Date, isCurrent: (source: ResponseSource) => boolean): CachedResponse | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    this.#delete(key, entry)
    const time = now.getTime()
    // A clock that was turned back must not lengthen the life of an entry.
    if (time < entry.readAt || time >= entry.until || !isCurrent(entry)) return null
    this.#add(key, entry)
    return entry.response
  }

  /** Stores a response read at `readAt` for so many seconds from then. Too large ones are not stored. */
  set(
    key: string,
    response: CachedResponse,
    source: ResponseSource & { readonly readAt: Date; readonly seconds: number },
  ): void {
    const { tables, position, readAt, seconds } = source
    const headers = Object.entries(response.headers).flat()
    const characters = [key, response.body, ...headers].reduce((sum, text) => sum + text.length, 0)
    const bytes = overheadBytes + characters * characterBytes
    if (bytes > this.#bounds.entryBytes) return
    const earlier = this.#entries.get(key)
    if (earlier !== undefined) this.#delete(key, earlier)
    const until = readAt.getTime() + seconds * 1000
    this.#add(key, { response, tables, position, readAt: readAt.getTime(), until, bytes })
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#bounds.bytes) return
      this.#delete(oldest, entry)
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
