import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import { dayMilliseconds } from '../../lib/days'
import { firstIdAt } from '../../lib/ids'
import { isOpening, latestStatuses } from '../core/page'
import type { UsageSource } from './find-usage'
import { isTrendable, lowestRank, trendKinds } from './rank'

/** Bounds: latest statuses that are read for hashtags of public ones, and hashtags that are counted. */
const maxStatusesRead = 2_000
const maxCandidates = 40

/** Hashtags used in public statuses of authors who are not limited. */
export const tagUsage: UsageSource = {
  table: 'trending_tags',
  key: 'tag_id',
  candidates(now) {
    const since = firstIdAt(new Date(now.getTime() - dayMilliseconds))
    return sql`select t.id as id from (
        select s.account_id, s.tags from (${latestStatuses({ since, most: maxStatusesRead })}) s where ${isOpening}) latest
      cross join json_each(latest.tags) used cross join tags t on t.name = used.value ->> 'name'
      where t.usable = 1
      group by t.id having count(distinct latest.account_id) > 1
      order by count(distinct latest.account_id) desc, t.id desc ${limitTo(maxCandidates)}`
  },
  uses: (from, to) => sql`select s.account_id from status_tags u cross join statuses s on s.id = u.status_id
      cross join accounts a on a.id = s.account_id
    where u.tag_id = item.value ->> 'id' and u.status_id >= ${from} and u.status_id < ${to}
      and s.visibility = 'public' and s.reblog_of_id is null and s.local_only = 0
      and a.silenced_at is null and a.suspended_at is null`,
}

/** Maximum of trends of a kind at once. */
export const maxTrends = 200

/** A page of trends: skipped rows count as read. */
export interface TrendPage {
  readonly limit: number
  readonly offset: number
}

/** The page itself where nothing among the highest is left out: no row beyond these is read. */
export function amongHighest({ limit, offset }: TrendPage): SQL {
  const from = Math.min(offset, maxTrends)
  return sql`${limitTo(Math.min(limit, maxTrends - from))} offset ${from}`
}

// Trends are sorted before they are joined, so that only the rows of a page are read.

/** Items that moderators allow, or, for moderators, all. */
export type TrendChoice = 'allowed' | 'all'

/** The trending hashtags, highest first, as a selection (id, cursor). */
export function selectTrendingTags(
  { limit, offset }: TrendPage,
  now: Date,
  choice: TrendChoice = 'allowed',
): SQL {
  const highest = sql`from trending_tags where rank >= ${lowestRank(trendKinds.tags, now)}
        order by rank desc, tag_id desc`
  if (choice === 'all')
    return sql`select id, -row_number() over () as cursor from (
      select tag_id as id ${highest} ${amongHighest({ limit, offset })})`
  const allowed = sql`t.usable = 1 and ${isTrendable('t.trendable')}`
  return sql`select id, -row_number() over () as cursor from (
    select t.id as id from (select tag_id ${highest} ${limitTo(maxTrends)}) trend
      cross join tags t on t.id = trend.tag_id
    where ${allowed} ${limitTo(limit)} offset ${offset})`
}
