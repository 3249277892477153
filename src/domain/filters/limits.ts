import { sql } from 'drizzle-orm'
import { filterLimits } from '../../contract/limits'
import { Invalid } from '../../errors'
import type { FilterRule } from '../../lib/filters/keyword-index'
import type { AccountId } from '../../lib/ids'
import { utf8Bytes } from '../../lib/text/bytes'
import type { Changes } from '../core/changes'

/**
 * Guards the total of keywords and statuses in the filters of `owner`, with `filter` as it will be: every page read
 * loads all of them. `Invalid` beyond `filterLimits`.
 */
export function requireFilterLimits(changes: Changes, owner: AccountId, filter: FilterRule): void {
  const { keywordsInAll, keywordBytesInAll, statusesInAll } = filterLimits
  const bytes = filter.keywords.reduce((sum, { keyword }) => sum + utf8Bytes(keyword), 0)
  const others = sql`(select id from filters where account_id = ${owner} and id <> ${filter.id})`
  const keywords = sql`filter_keywords where filter_id in ${others}`
  changes
    .require(
      sql`(select count(*) <= ${keywordsInAll - filter.keywords.length}
        and coalesce(sum(length(cast(keyword as blob))), 0) <= ${keywordBytesInAll - bytes} from ${keywords})`,
      new Invalid('too_many', { field: 'keywords_of_all_filters', max: keywordsInAll }),
    )
    .require(
      sql`(select count(*) from filter_statuses where filter_id in ${others})
        <= ${statusesInAll - filter.statuses.length}`,
      new Invalid('too_many', { field: 'statuses_of_all_filters', max: statusesInAll }),
    )
}
