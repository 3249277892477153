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
  readonly #entries = new Map<string, CachedFilters>()
  readonly #mostWeight: number
  #weight = 0

  constructor(mostWeight: number) {
    this.#mostWeight = mostWeight
  }

  recall(reader: string): CachedFilters | null {
    const entry = this.#entries.get(reader)
    if (entry === undefined) return null
    this.#entries.delete(reader)
    this.#entries.set(reader, entry)
    return entry
  }

  keep(reader: string, entry: CachedFilters): void {
    this.#drop(reader)
    this.#entries.set(reader, entry)
    this.#weight += weightOf(entry)
    for (const other of this.#entries.keys()) {
      if (this.#weight <= this.#mostWeight) return
      this.#drop(other)
    }
  }

  forget(ownerId: AccountId): void {
    for (const [reader, entry] of this.#entries) if (entry.ownerId === ownerId) this.#drop(reader)
  }

  #drop(reader: string): void {
    const entry = this.#entries.get(reader)
    if (entry === undefined) return
    this.#entries.delete(reader)
    this.#weight -= weightOf(entry)
  }
}

function weightOf({ filters }: CachedFilters): number {
  return 1 + filters.weight
}
