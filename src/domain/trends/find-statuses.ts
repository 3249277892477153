import { type SQL, sql } from 'drizzle-orm'
import { CostlySelection, jsonRows, limitTo, type Query, rows, withEnd } from '../../db/query'
import { dayMilliseconds } from '../../lib/days'
import { type AccountId, firstIdAt, type StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { allowedInDiscovery } from '../policy/blocks-and-mutes'
import { visibleTo } from '../policy/visibility'
import { amongHighest, maxTrends, type TrendPage } from './find-tags'
import { isPreferredLanguage, isTrendable, lowestRank, trendKinds } from './rank'

/** Bounds: latest favourites and reblogs that yield candidates; older ones are of statuses that have decayed. */
const maxFavouritesRead = 500
const maxReblogsRead = 1_000
/** Older statuses have decayed, whatever their counters. */
const oldestMilliseconds = 3 * dayMilliseconds

/** A status that may trend. */
export interface EligibleStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly language: string
  readonly createdAt: number
  /** Favourites and reblogs. */
  readonly figure: number
  /** Moderators' decision: 1, 0 or null. */
  readonly trendable: number | null
}

/**
 * Statuses with recent interactions, and trending ones, as far as they may trend: public, not sensitive, without a
 * warning, no replies, in a known language, by discoverable authors who are not limited, with `least` favourites and
 * reblogs. One statement.
 */
export function eligibleStatuses(ctx: Ctx, least: number, now: Date): Query<EligibleStatus[]> {
  const since = firstIdAt(new Date(now.getTime() - oldestMilliseconds))
  const marked = sql`select status_id as id from (select status_id from favourites
      where id > ${since} order by id desc ${limitTo(maxFavouritesRead)})
    union select reblog_of_id from (select reblog_of_id from statuses
      where id > ${since} order by id desc ${limitTo(maxReblogsRead)})
      where reblog_of_id is not null
    union select status_id from trending_statuses`
  return rows(
    ctx.db
      .select({
        id: sql<StatusId>`eligible.id`.as('id'),
        accountId: sql<AccountId>`eligible.account_id`.as('account_id'),
        language: sql<string>`eligible.language`.as('language'),
        createdAt: sql<number>`eligible.created_at`.as('created_at'),
        figure: sql<number>`eligible.figure`.as('figure'),
        trendable: sql<number | null>`eligible.trendable`.as('trendable'),
      })
      .from(sql`(select s.id, s.account_id, s.language, s.created_at, s.favourites_count + s.reblogs_count as figure,
          (select trendable from trending_statuses where status_id = s.id) as trendable
        from (${marked}) marked cross join statuses s on s.id = marked.id cross join accounts a on a.id = s.account_id
        where s.favourites_count + s.reblogs_count >= ${least}
          and s.created_at > ${now.getTime() - oldestMilliseconds}
          and s.visibility = 'public' and s.local_only = 0 and s.reblog_of_id is null
          and s.in_reply_to_id is null and s.in_reply_to_account_id is null and s.in_reply_to_uri is null
          and s.spoiler_text = '' and s.sensitive = 0 and s.language is not null
          and a.discoverable = 1 and a.silenced_at is null and a.suspended_at is null and a.sensitized_at is null
          and ${isVisibleAccount('a')}) as eligible`),
  )
}

/** The stored columns of a trending status. */
export interface RankedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly language: string
  readonly rank: number
}

/** For the insert: statuses that still exist, as a selection (status_id, account_id, language, rank). */
export function selectExisting(ranked: readonly RankedStatus[]): SQL {
  return sql`select s.id, item.value ->> 'accountId', item.value ->> 'language', item.value ->> 'rank'
    from ${jsonRows(ranked)} cross join statuses s on s.id = item.value ->> 'id'`
}

/** Reader of trends: the viewer, with a language for anonymous ones. */
export interface TrendReader {
  readonly viewer: ViewerRef
  readonly language: string | null
}

/**
 * The trending statuses that may be recommended to the reader, as a selection (id, cursor): those in their languages
 * first.
 */
export function selectTrendingStatuses(
  reader: TrendReader,
  { limit, offset }: TrendPage,
  now: Date,
): CostlySelection {
  const sorted = sql`select trend.status_id
    from trending_statuses trend left join trend_authors by_author on by_author.account_id = trend.account_id
    where trend.rank >= ${lowestRank(trendKinds.statuses, now)}
      and ${isTrendable('trend.trendable', 'by_author.trendable')}
    order by ${isPreferredLanguage(reader, sql`trend.language`)} desc, trend.rank desc, trend.status_id desc
    ${limitTo(maxTrends)}`
  const shown = sql`select id, -row_number() over () as cursor from (
    select s.id as id from (${sorted}) trend cross join statuses s on s.id = trend.status_id
    where s.visibility = 'public' and ${visibleTo(reader.viewer)} and ${allowedInDiscovery(reader.viewer, now)} ${limitTo(limit)} offset ${offset})`
  return new CostlySelection(withEnd(shown), shown)
}

/** A page of all trending statuses, allowed or not, highest first, as a selection (id, requires_review). */
export function selectEveryTrendingStatus(page: TrendPage, now: Date): SQL {
  const isReviewed = sql`trend.trendable is not null or exists (select 1 from trend_authors author
    where author.account_id = trend.account_id and author.reviewed_at is not null)`
  return sql`select trend.status_id as id, not (${isReviewed}) as requires_review
    from (select status_id, account_id, rank, trendable from trending_statuses
      where rank >= ${lowestRank(trendKinds.statuses, now)}
      order by rank desc, status_id desc ${amongHighest(page)}) as trend`
}
