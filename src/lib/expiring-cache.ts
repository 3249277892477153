interface CachedText {
  readonly value: string
  readonly until: number
}

interface WindowCounter {
  count: number
  readonly until: number
}

/**
 * Small in-memory cache of texts and counters: bounded, lost with the process, for speed only. Texts and
 * counters have separate bounds, so that anonymous requests that cause many texts cannot evict counters.
 */
export class ExpiringCache {
  readonly #texts = new Map<string, CachedText>()
  readonly #counted = new Map<string, WindowCounter>()
  readonly #most: { readonly texts: number; readonly counters: number }

  constructor(texts: number, counters = texts) {
    this.#most = { texts, counters }
  }

  recall(key: string, now: Date): string | null {
    const cached = this.#texts.get(key)
    return cached === undefined || cached.until <= now.getTime() ? null : cached.value
  }

  remember(key: string, entry: { readonly value: string; readonly seconds: number }, now: Date): void {
    this.#texts.delete(key)
    this.#texts.set(key, { value: entry.value, until: now.getTime() + entry.seconds * 1000 })
    if (this.#texts.size > this.#most.texts) dropOldest(this.#texts)
  }

  /** Increments and returns the count of `key` in a window of so many seconds. */
  count(key: string, seconds: number, now: Date): number {
    const counted = this.#counted.get(key)
    if (counted !== undefined && counted.until > now.getTime()) {
      counted.count += 1
      return counted.count
    }
    this.#counted.delete(key)
    this.#counted.set(key, { count: 1, until: now.getTime() + seconds * 1000 })
    if (this.#counted.size > this.#most.counters) dropOldest(this.#counted)
    return 1
  }

  /** Returns the count of the current window without incrementing it. */
  counted(key: string, now: Date): number {
    const counted = this.#counted.get(key)
    return counted === undefined || counted.until <= now.getTime() ? 0 : counted.count
  }

  /** Deletes the text and count of `key`. */
  forget(key: string): void {
    this.#texts.delete(key)
    this.#counted.delete(key)
  }
}

function dropOldest(entries: Map<string, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
