import { type SQL, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { anonymousViewer } from '../core/viewer'
import { visibleByActiveAuthor } from '../policy/visibility'
import { isTrendable } from './is-trendable'
import { lowestRank, type TrendKind, trendKinds } from './rank'

/** An item that trends, or would if moderators allowed it. */
export interface Trending {
  /** Key for `reviewTrend`: the name of a hashtag, the id of a status, the URL of a page. */
  readonly key: string
  /** The author's handle, or the host of the page; null for a hashtag. */
  readonly of: string | null
  /** The status as HTML, or the title of the page as text. */
  readonly words: string | null
  /** The decision about the item, its author or host; null before a review. */
  readonly decision: number | null
  /** The decision about everything of the author or host; null before one. */
  readonly decisionOfAll: number | null
  readonly shown: number
}

/** Items of a list for moderators; few servers have as many. */
const mostListed = 1_000

/** Trending hashtags, highest first. One statement. */
export function trendingTags(ctx: Ctx, now: Date, most = mostListed): Query<Trending[]> {
  return listOf(ctx, {
    key: sql`t.name`,
    of: sql`null`,
    words: sql`null`,
    decisions: ['t.trendable'],
    from: sql`trending_tags trend cross join tags t on t.id = trend.tag_id`,
    kind: trendKinds.tags,
    now,
    most,
  })
}

/** Trending statuses that everybody may see, highest first. One statement. */
export function trendingStatuses(ctx: Ctx, now: Date, most = mostListed): Query<Trending[]> {
  return listOf(ctx, {
    key: sql`s.id`,
    of: sql`a.username || coalesce('@' || a.domain, '')`,
    words: sql`s.content`,
    decisions: ['trend.trendable', 'author.trendable'],
    from: sql`trending_statuses trend cross join statuses s on s.id = trend.status_id and ${visibleByActiveAuthor(anonymousViewer)}
      cross join accounts a on a.id = s.account_id and a.suspended_at is null
      left join trend_authors author on author.account_id = a.id`,
    kind: trendKinds.statuses,
    now,
    most,
  })
}

/** Trending pages, highest first. One statement. */
export function trendingLinks(ctx: Ctx, now: Date, most = mostListed): Query<Trending[]> {
  return listOf(ctx, {
    key: sql`c.url`,
    of: sql`c.host`,
    words: sql`c.card ->> '$.title'`,
    decisions: ['c.trendable', 'publisher.trendable'],
    from: sql`trending_links trend cross join preview_cards c on c.id = trend.card_id
      left join trend_publishers publisher on publisher.domain = c.host`,
    kind: trendKinds.links,
    now,
    most,
  })
}

interface Listing {
  readonly key: SQL
  readonly of: SQL
  readonly words: SQL
  /** Columns of the decisions: about the item, and about everything of its author or host. */
  readonly decisions: readonly [string] | readonly [string, string]
  readonly from: SQL
  readonly kind: TrendKind
  readonly now: Date
  readonly most: number
}

function listOf(ctx: Ctx, { key, of, words, decisions, from, kind, now, most }: Listing): Query<Trending[]> {
  return rows(
    ctx.db
      .select({
        key: sql<string>`cast(${key} as text)`.as('key'),
        of: sql<string | null>`${of}`.as('of'),
        words: sql<string | null>`${words}`.as('words'),
        decision: sql<number | null>`coalesce(${sql.raw(decisions.join(', '))}, null)`.as('decision'),
        decisionOfAll: sql<number | null>`${sql.raw(decisions[1] ?? 'null')}`.as('decision_of_all'),
        shown: sql<number>`${isTrendable(...decisions)}`.as('shown'),
      })
      .from(from)
      .where(sql`trend.rank >= ${lowestRank(kind, now)}`)
      .orderBy(sql`trend.rank desc ${limitTo(most)}`),
  )
}
