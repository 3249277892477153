import type { Filterable, FilterMatch, FilterMatcher, FilterRule } from '../../../contract/filters'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { CachedFilters } from '../../../ports/services'
import { foldText, KeywordIndex, sanitisedHtmlToText } from './keyword-index'

/** A user's filters, compiled for repeated matching. */
export class CompiledFilters implements FilterMatcher {
  readonly #rules: readonly FilterRule[]
  readonly #keywords: readonly { readonly rule: FilterRule; readonly keyword: string }[]
  readonly #index: KeywordIndex
  readonly #rulesByStatus = new Map<StatusId, Set<FilterRule>>()

  constructor(rules: readonly FilterRule[]) {
    this.#rules = rules
    const all = rules.flatMap((rule) => rule.keywords.map((keyword) => ({ rule, ...keyword })))
    this.#keywords = all
    this.#index = new KeywordIndex(all)
    for (const rule of rules)
      for (const { statusId } of rule.statuses)
        this.#rulesByStatus.set(statusId, (this.#rulesByStatus.get(statusId) ?? new Set()).add(rule))
  }

  /** Memory use, in keywords and statuses. */
  get weight(): number {
    return this.#keywords.length + this.#rulesByStatus.size + this.#rules.length
  }

  /** Matches a status against the filters not expired at `now`, in the order of the filters. */
  match(status: Filterable, now: Date): readonly FilterMatch[] {
    const words = this.#wordsIn(status)
    const statusIds = status.ids.filter((id) => this.#rulesByStatus.has(id))
    if (words.length === 0 && statusIds.length === 0) return []
    return this.#rules.flatMap((rule) => {
      if (rule.expiresAt !== null && rule.expiresAt <= now) return []
      const keywords = words.filter((word) => word.rule === rule).map(({ keyword }) => keyword)
      const ids = statusIds.filter((id) => this.#rulesByStatus.get(id)?.has(rule))
      return keywords.length + ids.length > 0 ? [{ rule, keywords, statusIds: ids }] : []
    })
  }

  #wordsIn(status: Filterable) {
    if (this.#keywords.length === 0) return []
    const tags = status.tags.map(({ name }) => name)
    const found = this.#index.find(foldedText(status), tags)
    return found.size === 0 ? [] : this.#keywords.filter((_, place) => found.has(place))
  }
}

/** The folded text of a status. Each part is on lines of its own, which no keyword reaches across. */
function foldedText(status: Filterable): string {
  const { content, spoilerText, pollOptions, descriptions, tags } = status
  const texts = [spoilerText, ...pollOptions, ...descriptions.map((text) => text ?? '')]
  const parts = [
    sanitisedHtmlToText(content),
    ...texts.filter((text) => text !== '').map((text) => text.replaceAll('\n', ' ')),
    ...tags.map(({ display }) => `#${display}`),
  ]
  return foldText(parts.join('\n'))
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
