import type {
  Filter,
  FilterKeyword,
  FilterResult,
  FilterStatus,
  V1Filter,
} from '../../contract/entities/filter'
import { type FilterMatch, isHiddenIn } from '../../lib/filters/compiled'
import type {
  FilterContext,
  FilteredStatus,
  FilterRule,
  FilterKeyword as Keyword,
} from '../../lib/filters/rule'
import type { StatusId } from '../../lib/ids'
import type { StatusBundle } from '../load/statuses'
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

/** A filter that a status matched, and by what. */
export function presentMatch({ rule, keywords, statusIds }: FilterMatch): FilterResult {
  return {
    filter: presentFilterName(rule),
    keyword_matches: keywords.length === 0 ? null : [...keywords],
    status_matches: statusIds.length === 0 ? null : statusIds.map(String),
  }
}

/**
 * The bundle without what the viewer's filters hide in `context`. Cursors stay, so that paging goes on behind.
 *
 * Their own statuses are marked as matches like all others, as in Mastodon, but nobody loses sight of what they wrote.
 */
export function withoutHidden(bundle: StatusBundle, context: FilterContext): StatusBundle {
  const isHidden = (id: StatusId) => {
    const facts = bundle.statuses.get(id)
    if (facts === undefined || !isHiddenIn(context, facts.filtered)) return false
    const said = bundle.statuses.get(facts.status.reblogOfId ?? id) ?? facts
    return said.status.accountId !== said.viewer.viewerId
  }
  return { ...bundle, ids: bundle.ids.filter((id) => !isHidden(id)) }
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
