import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import { dayMilliseconds } from '../../lib/days'
import { firstIdAt } from '../../lib/ids'
import type { TrendReader } from './find-statuses'
import { amongHighest, maxTrends, type TrendPage } from './find-tags'
import type { UsageSource } from './find-usage'
import { isPreferredLanguage, isTrendable, lowestRank, trendKinds } from './rank'

/** Bounds: latest statuses with a link that are read, and links that are counted. */
const maxLinksRead = 1_000
const maxCandidates = 40

/** Only articles in a known language may trend, as in Mastodon. `c` is the card. */
const looksLikeArticle = sql.raw(`c.card ->> '$.type' = 'link' and c.card ->> '$.title' <> ''
  and c.card ->> '$.description' <> '' and c.card ->> '$.providerName' <> '' and c.card ->> '$.image' is not null
  and c.card ->> '$.language' is not null`)

/** Pages linked in public statuses, without warnings, of authors who are not limited. */
export const linkUsage: UsageSource = {
  table: 'trending_links',
  key: 'card_id',
  own: {
    column: 'language',
    value: sql`(select c.card ->> '$.language' from preview_cards c where c.id = item.value ->> 'id')`,
  },
  candidates(now) {
    const since = firstIdAt(new Date(now.getTime() - dayMilliseconds))
    return sql`select c.id as id from (
        select card_id, account_id from status_links where status_id > ${since}
        order by status_id desc ${limitTo(maxLinksRead)}) latest
      cross join preview_cards c on c.id = latest.card_id
      where ${looksLikeArticle}
      group by c.id having count(distinct latest.account_id) > 1
      order by count(distinct latest.account_id) desc, c.id desc ${limitTo(maxCandidates)}`
  },
  uses: (from, to) => sql`select s.account_id from status_links u cross join statuses s on s.id = u.status_id
      cross join accounts a on a.id = s.account_id
    where u.card_id = item.value ->> 'id' and u.status_id >= ${from} and u.status_id < ${to}
      and s.visibility = 'public' and s.local_only = 0 and s.spoiler_text = '' and s.sensitive = 0
      and a.silenced_at is null and a.suspended_at is null`,
}

/**
 * Condition: moderators allow the card `c` to trend. A decision about the page counts first, then one about its host.
 */
const isAllowedCard = isTrendable(
  'c.trendable',
  '(select p.trendable from trend_publishers p where p.domain = c.host)',
)

/** Condition: the card `c` trends at `now`, as far as moderators allow. */
export function isTrendingCard(now: Date): SQL {
  return sql`(exists (select 1 from trending_links trend
    where trend.card_id = c.id and trend.rank >= ${lowestRank(trendKinds.links, now)}) and ${isAllowedCard})`
}

/** The trending links, those in the reader's languages first, as a selection (id, cursor) of cards. */
export function selectTrendingLinks(reader: TrendReader, { limit, offset }: TrendPage, now: Date): SQL {
  const sorted = sql`select card_id from trending_links where rank >= ${lowestRank(trendKinds.links, now)}
    order by ${isPreferredLanguage(reader, sql`language`)} desc, rank desc, card_id desc ${limitTo(maxTrends)}`
  return sql`select id, -row_number() over () as cursor from (
    select c.id as id from (${sorted}) trend cross join preview_cards c on c.id = trend.card_id
    where ${isAllowedCard} ${limitTo(limit)} offset ${offset})`
}

/** Every trending link, highest first, allowed or not, as a selection (id, cursor) of cards. */
export function selectEveryTrendingLink(page: TrendPage, now: Date): SQL {
  return sql`select id, -row_number() over () as cursor from (
    select card_id as id from trending_links where rank >= ${lowestRank(trendKinds.links, now)}
    order by rank desc, card_id desc ${amongHighest(page)})`
}
