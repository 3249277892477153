interface Kept {
  value: string
  readonly until: number
}

/** A few texts for a while: bounded, gone with the process, and nothing but speed may depend on it. */
export class ShortMemory {
  readonly #kept = new Map<string, Kept>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  recall(key: string, now: Date): string | null {
    const kept = this.#kept.get(key)
    return kept === undefined || kept.until <= now.getTime() ? null : kept.value
  }

  remember(key: string, entry: { readonly value: string; readonly seconds: number }, now: Date): void {
    this.#kept.delete(key)
    this.#kept.set(key, { value: entry.value, until: now.getTime() + entry.seconds * 1000 })
    if (this.#kept.size > this.#most) this.#forgetOldest()
  }

  /** How often this was asked for `key` since a window of so many seconds began, this time included. */
  count(key: string, seconds: number, now: Date): number {
    const kept = this.#kept.get(key)
    if (kept === undefined || kept.until <= now.getTime()) {
      this.remember(key, { value: '1', seconds }, now)
      return 1
    }
    const count = Number(kept.value) + 1
    kept.value = String(count)
    return count
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      this.#kept.delete(key)
      return
    }
  }
}
