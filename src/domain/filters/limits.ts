import { sql } from 'drizzle-orm'
import { filterLimits } from '../../contract/limits'
import { validationFailed } from '../../errors'
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
      validationFailed(`Keywords of all filters are too many (maximum is ${keywordsInAll})`),
    )
    .require(
      sql`(select count(*) from filter_statuses where filter_id in ${others})
        <= ${statusesInAll - filter.statuses.length}`,
      validationFailed(`Statuses of all filters are too many (maximum is ${statusesInAll})`),
    )
}
