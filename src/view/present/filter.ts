import type {
  Filter,
  FilterKeyword,
  FilterResult,
  FilterStatus,
  V1Filter,
} from '../../contract/entities/filter'
import type {
  FilterContext,
  FilteredStatus,
  FilterRule,
  FilterKeyword as Keyword,
} from '../../contract/filters'
import { type FilterMatch, isHiddenIn } from '../../contract/filters'
import type { StatusId } from '../../lib/ids'
import type { StatusBundle } from '../load/statuses'
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

/**
 * Removes from the bundle what the viewer's filters hide in `context`. Cursors stay, so that the next page
 * starts after hidden statuses.
 *
 * The viewer's own statuses carry their matches like any other, as in Mastodon, but are never hidden.
 */
export function withoutHidden(bundle: StatusBundle, context: FilterContext): StatusBundle {
  const isHidden = (id: StatusId) => {
    const facts = bundle.statuses.get(id)
    if (facts === undefined || !isHiddenIn(context, facts.filtered)) return false
    const shown = bundle.statuses.get(facts.status.reblogOfId ?? id) ?? facts
    return shown.status.accountId !== shown.viewer.viewerId
  }
  return { ...bundle, ids: bundle.ids.filter((id) => !isHidden(id)) }
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
