import { type SQL, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import type { NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { lowestRank, type TrendKind, trendKinds } from './rank'

/** A trend as the request for its review sees it. */
export interface TrendUnderReview {
  /** Target of the review: a hashtag, the author of a status, the host of a page. */
  readonly subject: string
  readonly language: string
  readonly rank: number
  readonly isAllowed: boolean
  /** Neither reviewed nor requested to be. */
  readonly isWaiting: boolean
}

/** Trending hashtags; one statement, as the next two. */
export function tagsUnderReview(ctx: Ctx, now: Date): Query<TrendUnderReview[]> {
  return listOf(ctx, trendKinds.tags, {
    now,
    subject: sql`t.id`,
    language: sql`''`,
    decision: sql`t.trendable`,
    waiting: sql`t.reviewed_at is null and t.requested_review_at is null`,
    from: sql`trending_tags trend cross join tags t on t.id = trend.tag_id and t.usable = 1`,
  })
}

/** Trending statuses. */
export function statusesUnderReview(ctx: Ctx, now: Date): Query<TrendUnderReview[]> {
  return listOf(ctx, trendKinds.statuses, {
    now,
    subject: sql`trend.account_id`,
    language: sql`trend.language`,
    decision: sql`coalesce(trend.trendable, author.trendable)`,
    waiting: sql`trend.trendable is null and author.reviewed_at is null and author.requested_review_at is null`,
    from: sql`trending_statuses trend left join trend_authors author on author.account_id = trend.account_id`,
  })
}

/** Trending pages. */
export function linksUnderReview(ctx: Ctx, now: Date): Query<TrendUnderReview[]> {
  return listOf(ctx, trendKinds.links, {
    now,
    subject: sql`c.host`,
    language: sql`coalesce(trend.language, '')`,
    decision: sql`coalesce(c.trendable, publisher.trendable)`,
    waiting: sql`c.trendable is null and publisher.reviewed_at is null and publisher.requested_review_at is null`,
    from: sql`trending_links trend cross join preview_cards c on c.id = trend.card_id
      left join trend_publishers publisher on publisher.domain = c.host`,
  })
}

interface Listing {
  readonly now: Date
  readonly subject: SQL
  readonly language: SQL
  readonly decision: SQL
  readonly waiting: SQL
  readonly from: SQL
}

function listOf(ctx: Ctx, kind: TrendKind, listing: Listing): Query<TrendUnderReview[]> {
  const { now, subject, language, decision, waiting, from } = listing
  const flag = (condition: SQL, name: string) => sql<boolean>`${condition}`.mapWith(Boolean).as(name)
  return rows(
    ctx.db
      .select({
        subject: sql<string>`cast(${subject} as text)`.as('subject'),
        language: sql<string>`${language}`.as('language'),
        rank: sql<number>`trend.rank`.as('rank'),
        isAllowed: flag(sql`coalesce(${decision}, 0) = 1`, 'is_allowed'),
        isWaiting: flag(sql`(${waiting})`, 'is_waiting'),
      })
      .from(from)
      .where(sql`trend.rank >= ${lowestRank(kind, now)}`)
      .orderBy(sql`trend.rank desc`),
  )
}

/** Trends that a notification requests the review of: hashtags, pages with their hosts, and accounts, as lines of text. */
export function requestedTrends(ctx: Ctx, id: NotificationId): Query<{ readonly line: string }[]> {
  const time = sql`(select n.subject_id from notifications n where n.id = ${id})`
  return rows(
    ctx.db.select({ line: sql<string>`asked.line`.as('line') }).from(sql`(
      select '#' || t.display_name as line from trending_tags trend cross join tags t on t.id = trend.tag_id
        where t.requested_review_at = ${time}
      union all
      select (c.card ->> '$.title') || ' (' || c.host || ')' from trending_links trend
        cross join preview_cards c on c.id = trend.card_id
        cross join trend_publishers publisher on publisher.domain = c.host
        where publisher.requested_review_at = ${time} and c.trendable is null
      union all
      select distinct '@' || a.username || coalesce('@' || a.domain, '') from trending_statuses trend
        cross join trend_authors author on author.account_id = trend.account_id
        cross join accounts a on a.id = trend.account_id
        where author.requested_review_at = ${time} and trend.trendable is null) as asked`),
  )
}
