import type { FilterId, FilterKeywordId, FilterStatusId, StatusId } from '../lib/ids'

/** Contexts of a filter: home and lists, notifications, public timelines, threads, profiles. */
export const filterContexts = ['home', 'notifications', 'public', 'thread', 'account'] as const
export type FilterContext = (typeof filterContexts)[number]

/** Effects of a match: shown behind a warning, not shown, or shown with its media blurred. */
export const filterActions = ['warn', 'hide', 'blur'] as const
export type FilterAction = (typeof filterActions)[number]

export interface FilterKeyword {
  readonly id: FilterKeywordId
  readonly keyword: string
  readonly wholeWord: boolean
}

export interface FilteredStatus {
  readonly id: FilterStatusId
  readonly statusId: StatusId
}

/** A user's filter, as they wrote it. */
export interface FilterRule {
  readonly id: FilterId
  readonly title: string
  readonly contexts: readonly FilterContext[]
  readonly action: FilterAction
  readonly expiresAt: Date | null
  /** In the order they were added. */
  readonly keywords: readonly FilterKeyword[]
  readonly statuses: readonly FilteredStatus[]
}

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
export interface FilterMatcher {
  /** Memory use, in keywords and statuses. */
  readonly weight: number
  /** Matches a status against the filters not expired at `now`, in the order of the filters. */
  match(status: Filterable, now: Date): readonly FilterMatch[]
}

/** Whether one of these matches hides a status in the context. */
export function isHiddenIn(context: FilterContext, matches: readonly FilterMatch[]): boolean {
  return matches.some(({ rule }) => rule.action === 'hide' && rule.contexts.includes(context))
}
