import type { StatusId } from '../ids'
import { foldText, sanitisedHtmlToText } from './fold'
import { KeywordIndex } from './keyword-index'
import type { FilterContext, FilterRule } from './rule'

/** The parts of a status that filters match. */
export interface Filterable {
  /** Ids of the status and of the status it reblogs. */
  readonly ids: readonly StatusId[]
  /** Sanitised HTML. */
  readonly content: string
  readonly spoilerText: string
  readonly pollOptions: readonly string[]
  readonly descriptions: readonly (string | null)[]
  readonly tags: readonly { readonly name: string; readonly display: string }[]
}

/** A filter that a status matched, with the matching keywords as their owner wrote them. */
export interface FilterMatch {
  readonly rule: FilterRule
  readonly keywords: readonly string[]
  readonly statusIds: readonly StatusId[]
}

/** A user's filters, compiled for repeated matching. */
export class CompiledFilters {
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

/** Whether one of these matches hides a status in the context. */
export function isHiddenIn(context: FilterContext, matches: readonly FilterMatch[]): boolean {
  return matches.some(({ rule }) => rule.action === 'hide' && rule.contexts.includes(context))
}
