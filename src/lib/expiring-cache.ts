interface CachedText {
  readonly value: string
  readonly until: number
}

interface WindowCounter {
  count: number
  readonly until: number
}

/**
 * A few texts and counters for a while: bounded, gone with the process, and nothing but speed may depend on it. Each of
 * the two has its own bound, so that strangers who cause many texts cannot have counters forgotten.
 */
export class ExpiringCache {
  readonly #kept = new Map<string, CachedText>()
  readonly #counted = new Map<string, WindowCounter>()
  readonly #most: { readonly texts: number; readonly counters: number }

  constructor(texts: number, counters = texts) {
    this.#most = { texts, counters }
  }

  recall(key: string, now: Date): string | null {
    const kept = this.#kept.get(key)
    return kept === undefined || kept.until <= now.getTime() ? null : kept.value
  }

  remember(key: string, entry: { readonly value: string; readonly seconds: number }, now: Date): void {
    this.#kept.delete(key)
    this.#kept.set(key, { value: entry.value, until: now.getTime() + entry.seconds * 1000 })
    if (this.#kept.size > this.#most.texts) dropOldest(this.#kept)
  }

  /** How often this was asked for `key` since a window of so many seconds began, this time included. */
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

  /** The count of the current window, which stays as it is. */
  counted(key: string, now: Date): number {
    const counted = this.#counted.get(key)
    return counted === undefined || counted.until <= now.getTime() ? 0 : counted.count
  }

  /** Text and count of `key` are no more. */
  forget(key: string): void {
    this.#kept.delete(key)
    this.#counted.delete(key)
  }
}

function dropOldest(entries: Map<string, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
