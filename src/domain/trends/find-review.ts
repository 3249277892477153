import { type SQL, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import type { Ctx } from '../../platform/ports'
import { isTrendable } from './is-trendable'
import { lowestRank, type TrendKind, trendKinds } from './rank'

/** Something that trends, or would if moderators let it. */
export interface Trending {
  /** What `reviewTrend` takes: the name of a hashtag, the id of a post, the address of a page. */
  readonly key: string
  /** Whose it is: the handle of the author, or the host of the page; null of a hashtag. */
  readonly of: string | null
  /** The post as HTML, or the title of the page as text. */
  readonly words: string | null
  /** What was decided of it or of whose it is; null where nobody looked yet. */
  readonly decision: number | null
  readonly shown: number
}

/** Hashtags, highest first. One statement. */
export function trendingTags(ctx: Ctx, now: Date): Query<Trending[]> {
  return listOf(ctx, {
    ...{ key: sql`t.name`, of: sql`null`, words: sql`null`, decisions: ['t.trendable'] },
    from: sql`trending_tags trend cross join tags t on t.id = trend.tag_id`,
    ...{ kind: trendKinds.tags, now },
  })
}

/** Posts. One statement. */
export function trendingStatuses(ctx: Ctx, now: Date): Query<Trending[]> {
  return listOf(ctx, {
    key: sql`s.id`,
    of: sql`a.username || coalesce('@' || a.domain, '')`,
    words: sql`s.content`,
    decisions: ['trend.trendable', 'author.trendable'],
    from: sql`trending_statuses trend cross join statuses s on s.id = trend.status_id
      cross join accounts a on a.id = s.account_id left join trend_authors author on author.account_id = a.id`,
    ...{ kind: trendKinds.statuses, now },
  })
}

/** Pages. One statement. */
export function trendingLinks(ctx: Ctx, now: Date): Query<Trending[]> {
  return listOf(ctx, {
    ...{ key: sql`c.url`, of: sql`c.host`, words: sql`c.card ->> '$.title'` },
    decisions: ['c.trendable', 'publisher.trendable'],
    from: sql`trending_links trend cross join preview_cards c on c.id = trend.card_id
      left join trend_publishers publisher on publisher.domain = c.host`,
    ...{ kind: trendKinds.links, now },
  })
}

interface Listing {
  readonly key: SQL
  readonly of: SQL
  readonly words: SQL
  readonly decisions: readonly string[]
  readonly from: SQL
  readonly kind: TrendKind
  readonly now: Date
}

function listOf(ctx: Ctx, { key, of, words, decisions, from, kind, now }: Listing): Query<Trending[]> {
  return rows(
    ctx.db
      .select({
        key: sql<string>`cast(${key} as text)`.as('key'),
        of: sql<string | null>`${of}`.as('of'),
        words: sql<string | null>`${words}`.as('words'),
        decision: sql<number | null>`coalesce(${sql.raw(decisions.join(', '))}, null)`.as('decision'),
        shown: sql<number>`${isTrendable(...decisions)}`.as('shown'),
      })
      .from(from)
      .where(sql`trend.rank >= ${lowestRank(kind, now)}`)
      .orderBy(sql`trend.rank desc`),
  )
}
