import type { Filter, FilterKeyword, FilterStatus, V1Filter } from '../../contract/entities/filter'
import type { FilteredStatus, FilterRule, FilterKeyword as Keyword } from '../../lib/filters/rule'
import { timestampOrNull } from './time'

/** A filter with all that is in it, as its owner sees it. */
export function presentFilter(filter: FilterRule): Filter {
  return {
    ...presentFilterName(filter),
    keywords: filter.keywords.map(presentKeyword),
    statuses: filter.statuses.map(presentFilteredStatus),
  }
}

/** A filter without what is in it, as a match names it. */
export function presentFilterName({ id, title, contexts, action, expiresAt }: FilterRule): Filter {
  return {
    id: String(id),
    title,
    context: [...contexts],
    expires_at: timestampOrNull(expiresAt),
    filter_action: action,
  }
}

export function presentKeyword({ id, keyword, wholeWord }: Keyword): FilterKeyword {
  return { id: String(id), keyword, whole_word: wholeWord }
}

export function presentFilteredStatus({ id, statusId }: FilteredStatus): FilterStatus {
  return { id: String(id), status_id: String(statusId) }
}

/** One keyword as the filter that clients before 4.0 know. */
export function presentPhrase({ filter, keyword }: { filter: FilterRule; keyword: Keyword }): V1Filter {
  return {
    id: String(keyword.id),
    phrase: keyword.keyword,
    context: [...filter.contexts],
    whole_word: keyword.wholeWord,
    expires_at: timestampOrNull(filter.expiresAt),
    irreversible: filter.action === 'hide',
  }
}
