import type { AccountId } from '../ids'
import type { CompiledFilters } from './compiled'

export interface CachedFilters {
  readonly ownerId: AccountId
  /** Changes with every edit. */
  readonly version: number
  readonly filters: CompiledFilters
}

/** LRU cache of compiled filters, by account. */
export class CompiledFilterCache {
  readonly #held = new Map<string, CachedFilters>()
  readonly #mostWeight: number
  #weight = 0

  constructor(mostWeight: number) {
    this.#mostWeight = mostWeight
  }

  recall(reader: string): CachedFilters | null {
    const held = this.#held.get(reader)
    if (held === undefined) return null
    this.#held.delete(reader)
    this.#held.set(reader, held)
    return held
  }

  keep(reader: string, held: CachedFilters): void {
    this.#drop(reader)
    this.#held.set(reader, held)
    this.#weight += weightOf(held)
    for (const other of this.#held.keys()) {
      if (this.#weight <= this.#mostWeight) return
      this.#drop(other)
    }
  }

  forget(ownerId: AccountId): void {
    for (const [reader, held] of this.#held) if (held.ownerId === ownerId) this.#drop(reader)
  }

  #drop(reader: string): void {
    const held = this.#held.get(reader)
    if (held === undefined) return
    this.#held.delete(reader)
    this.#weight -= weightOf(held)
  }
}

function weightOf({ filters }: CachedFilters): number {
  return 1 + filters.weight
}
