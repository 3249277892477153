import type {
  Filter,
  FilterKeyword,
  FilterResult,
  FilterStatus,
  V1Filter,
} from '../../contract/entities/filter'
import type {
  FilteredStatus,
  FilterMatch,
  FilterRule,
  FilterKeyword as Keyword,
} from '../../contract/filters'
import { timestampOrNull } from './time'

/** Presents a filter with its keywords and statuses, for its owner. */
export function presentFilter(filter: FilterRule): Filter {
  return {
    ...presentFilterName(filter),
    keywords: filter.keywords.map(presentKeyword),
    statuses: filter.statuses.map(presentFilteredStatus),
  }
}

/** Presents a filter without keywords and statuses, as nested in a match. */
function presentFilterName({ id, title, contexts, action, expiresAt }: FilterRule): Filter {
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

/** Presents a filter that a status matched, with the matching keywords and statuses. */
export function presentMatch({ rule, keywords, statusIds }: FilterMatch): FilterResult {
  return {
    filter: presentFilterName(rule),
    keyword_matches: keywords.length === 0 ? null : [...keywords],
    status_matches: statusIds.length === 0 ? null : statusIds.map(String),
  }
}

/** Presents one keyword as a filter of API v1, for clients before 4.0. */
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
