import type { FilterId, FilterKeywordId, FilterStatusId, StatusId } from '../ids'

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
