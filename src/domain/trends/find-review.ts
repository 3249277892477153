import { type SQL, sql } from 'drizzle-orm'
import { parseDomain, parseHandle } from '../../contract/handle'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { first, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import { trendPublishers } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { selectByHandle } from '../accounts/find'
import { idPage, newestFirst, type Page } from '../core/page'
import { anonymousViewer } from '../core/viewer'
import { visibleByActiveAuthor } from '../policy/visibility'
import { isTrendable, lowestRank, type TrendKind, trendKinds } from './rank'

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

/** Trending statuses visible to everyone, highest first. One statement. */
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

/** Targets of moderators' decisions: an item, or every item of an author or a host. */
export const reviewable = ['tag', 'status', 'author', 'link', 'publisher'] as const
export type Reviewable = (typeof reviewable)[number]

/** A target of a decision, with the decision so far: null before a review. */
export interface ReviewTarget {
  readonly what: Reviewable
  readonly id: number
  /** Name for readers of the audit log. */
  readonly label: string
  readonly trendable: boolean | null
}

/** A hashtag, a public status, an account, a page or a host by its id. One statement. */
export function reviewTarget(ctx: Ctx, what: Reviewable, id: number): Query<ReviewTarget | null> {
  return targetWhere(ctx, what, sql`id = ${id}`)
}

/**
 * A target by the key an operator names it with: the name of a hashtag, the id of a status, a handle, the URL of a page
 * or a host. A host without a decision so far is a target as well, with a new id. Null for a key that cannot be one.
 */
export function reviewTargetByKey(
  ctx: Ctx,
  what: Reviewable,
  key: string,
): Query<ReviewTarget | null> | null {
  switch (what) {
    case 'tag':
      return targetWhere(ctx, what, sql`name = ${normaliseHashtag(key.trim().replace(/^#/, ''))}`)
    case 'status':
      return reviewTarget(ctx, what, Number(key))
    case 'link':
      return targetWhere(ctx, what, sql`url = ${key}`)
    case 'author': {
      const handle = parseHandle(key, ctx.config.ownDomains)
      return handle === null
        ? null
        : targetWhere(ctx, what, sql`id = (select id from (${selectByHandle(handle)}))`)
    }
    case 'publisher': {
      const domain = parseDomain(key)
      if (domain === null) return null
      const unknown = { what, id: ctx.ids.next(), label: domain, trendable: null }
      return map(targetWhere(ctx, what, sql`domain = ${domain}`), (found) => found ?? unknown)
    }
  }
}

/** A status as a selection (id, account_id, language), for the row of a decision about it. */
export function statusUnderReview(id: number): SQL {
  return sql`select s.id, s.account_id, coalesce(s.language, '') as language from statuses s where s.id = ${id}`
}

/** Selections (id, label, trendable) of targets, to be completed by a condition on the target. */
const selections: Readonly<Record<Reviewable, SQL>> = {
  tag: sql`select id, display_name as label, trendable from tags where`,
  // Only public statuses of accounts that are not suspended trend, and moderators see no others.
  status: sql`select id, uri as label,
      (select trend.trendable from trending_statuses trend where trend.status_id = statuses.id) as trendable
    from statuses where visibility = 'public' and local_only = 0 and reblog_of_id is null
      and exists (select 1 from accounts a where a.id = statuses.account_id and a.suspended_at is null) and`,
  author: sql`select id, username || coalesce('@' || domain, '') as label,
      (select by.trendable from trend_authors by where by.account_id = accounts.id) as trendable
    from accounts where`,
  link: sql`select id, url as label, trendable from preview_cards where`,
  publisher: sql`select id, domain as label, trendable from trend_publishers where`,
}

function targetWhere(ctx: Ctx, what: Reviewable, condition: SQL): Query<ReviewTarget | null> {
  const found = ctx.db
    .select({
      id: sql<number>`target.id`.as('id'),
      label: sql<string | null>`target.label`.as('label'),
      trendable: sql<number | null>`target.trendable`.as('trendable'),
    })
    .from(sql`${oneRow} cross join (${selections[what]} ${condition}) target`)
  return map(first(found), (row) =>
    row === null
      ? null
      : {
          what,
          id: row.id,
          label: row.label ?? String(row.id),
          trendable: row.trendable === null ? null : row.trendable === 1,
        },
  )
}

/** A host of linked pages, with the decision of moderators. */
export type PublisherFacts = typeof trendPublishers.$inferSelect

/** A page of hosts, newest first. One statement. */
export function findPublishers(ctx: Ctx, page: Page): Query<PublisherFacts[]> {
  const { bounds, order } = idPage(page, sql`${trendPublishers.id}`)
  return map(rows(ctx.db.select().from(trendPublishers).where(bounds).orderBy(order)), newestFirst)
}

/** The host with this id, if any. */
export function findPublisher(ctx: Ctx, id: number): Query<PublisherFacts[]> {
  return rows(ctx.db.select().from(trendPublishers).where(sql`${trendPublishers.id} = ${id}`))
}
