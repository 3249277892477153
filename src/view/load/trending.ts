import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ExpandedSelection, map, type Query, rows } from '../../db/query'
import { previewCards } from '../../db/schema'
import type { Card } from '../../db/values'
import type { ViewerRef } from '../../domain/core/viewer'
import type { CardId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { AccountFacts } from './accounts'
import { maxOnPage } from './collections'
import { creatorCell, creators, viewerFactCount } from './status-parts'
import { type DailyUsage, parseUsage, storedUsageCell, weekUntil } from './tags'

/** A trending status as moderators list it, with what loading it takes. */
export interface TrendingStatus {
  readonly id: StatusId
  /** No moderator decided about the status or about its author. */
  readonly requiresReview: boolean
  /** The status it quotes, which is shown with it. */
  readonly quotedId: StatusId | null
  /** Ids of the collections that the status and the quoted one link. */
  readonly linked: readonly number[]
  /** Rows read to list it, and rows that loading it and the quoted status reads, without collections. */
  readonly listed: number
  readonly loaded: number
}

/** Rows that a page of moderators reads, less what finds the caller, their filters and decisions about authors. */
const rowsPerPage = 380

/** Upper bounds of the rows that loading reads. */
const reads = {
  /** Row of the page, status, author, and the lookup of a quote. */
  status: 4,
  /** User and role of a local author. */
  local: 2,
  /** The quote again, with the quoted status, its author, and relations between author and viewer. */
  quote: 7,
  /** Interactions of the viewer with a quoted status, which are not counted. */
  quotedFacts: 8,
  /** A collection with its owner, and 25 accounts, each of which may be local. */
  collection: 80,
} as const

/** Rows of `statuses` joined as `alias`, as far as loading needs them. */
const traits = (alias: string) =>
  sql.raw(`json_array(${alias}.local, ${alias}.poll_id is not null,
  ${alias}.application_id is not null, ${alias}.card ->> '$.creatorId' is not null)`)

/** Trending statuses of a page, as many as may be examined, and the number of those there are. */
export interface TrendingPage {
  readonly listed: readonly TrendingStatus[]
  readonly found: number
}

/**
 * Examines the trending statuses that `selection` names by rows (id, requires_review), after `offset` others, in its order.
 * One statement, 4 rows a status and one for each interaction of the viewer: one status after the other, until loading
 * them would read too much.
 */
export function findTrendingStatuses(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: SQL,
  offset: number,
): Query<TrendingPage> {
  const examined = rows(
    ctx.db
      .select({ row: sql<string>`page.row`.as('row'), facts: sql<number>`page.facts`.as('facts') })
      .from(sql`(with recursive page(at, viewer_id, ids, size, spent, facts, row) as (
        select 0, ${viewer.id}, json_group_array(json_array(id, requires_review)), count(*), ${offset} + count(*), 0, null
          from (${selection})
        union all
        select page.at + 1, page.viewer_id, page.ids, page.size, page.spent + 3 + ${reads.status} + 2 * page.facts,
            ${viewerFactCount}, json_array(page.size, statuses.id, ${current} ->> 1, ${traits('statuses')},
              statuses.linked_collections, quoted.id, ${traits('quoted')}, quoted.linked_collections)
          from page cross join statuses left join quotes q on q.status_id = statuses.id
            left join statuses quoted on quoted.id = case when q.state in ('pending', 'accepted') then q.quoted_status_id end
          where page.spent < ${rowsPerPage} and statuses.id = ${current} ->> 0)
        select row, facts from page where row is not null) as page`),
  )
  return map(examined, (all) => {
    const parsed = all.map(({ row, facts }) => statusOf(Row.parse(JSON.parse(row)), facts))
    return { listed: parsed.map(({ status }) => status), found: parsed[0]?.size ?? 0 }
  })
}

/** Id of the status to be examined next, and whether it is to be reviewed. */
const current = sql.raw("(page.ids -> ('$[' || page.at || ']'))")

const Bit = z.number().nullable()
const Traits = z.array(Bit).transform(([local, ...joined]) => {
  const more = joined.filter((bit) => bit === 1).length
  return reads.status + (local === 1 ? reads.local : 0) + more
})
const Linked = z
  .string()
  .nullable()
  .transform((text) => z.array(z.number()).parse(JSON.parse(text ?? '[]')))
const Row = z.tuple([
  z.number(),
  z.number(),
  z.number(),
  Traits,
  Linked,
  z.number().nullable(),
  Traits,
  Linked,
])

function statusOf(row: z.infer<typeof Row>, facts: number): { size: number; status: TrendingStatus } {
  const [size, id, requiresReview, own, linked, quotedId, quoted, linkedByQuoted] = row
  const quoting = quotedId === null ? 0 : 2 * reads.quote + quoted + reads.quotedFacts
  const status: TrendingStatus = {
    id,
    requiresReview: requiresReview === 1,
    quotedId,
    linked: [...linked, ...linkedByQuoted],
    listed: 4 + (quotedId === null ? 0 : 1) + facts,
    loaded: own + facts + quoting,
  }
  return { size, status }
}

interface LoadedPage {
  readonly selection: ExpandedSelection
  /** Statuses of the list on the page. Fewer than found: the page ends early, and the next one begins there. */
  readonly size: number
}

/**
 * Chooses how many of the listed statuses a page has: as many as can be read within its rows, and at least one. Plain
 * statuses of other servers fit forty to a page; with quotes, polls and collections it ends early. Pure.
 */
export function pageWithinRows({ listed, found }: TrendingPage, offset: number): LoadedPage {
  const unexamined = found - listed.length
  let left = rowsPerPage - offset - unexamined - listed.reduce((sum, status) => sum + status.listed, 0)
  const shownCollections = new Set<number>()
  const entries: (readonly [id: StatusId, cursor: number | null, isQuoted: 0 | 1, linked: string])[] = []
  let size = 0
  for (const { id, quotedId, linked, loaded } of listed) {
    const wanted = [...new Set(linked)]
      .filter((each) => !shownCollections.has(each))
      .slice(0, maxOnPage - shownCollections.size)
    if (size > 0 && loaded + wanted.length * reads.collection > left) break
    // A status that fills a page by itself is shown without the collections that would not fit.
    const read = wanted.slice(0, Math.max(0, Math.floor((left - loaded) / reads.collection)))
    for (const each of read) shownCollections.add(each)
    entries.push([id, -size, 0, JSON.stringify(read)])
    if (quotedId !== null) entries.push([quotedId, null, 1, '[]'])
    left -= loaded + read.length * reads.collection
    size += 1
  }
  const selection = sql`select value ->> 0 as id, value ->> 1 as cursor, value ->> 2 as is_quoted, value ->> 3 as linked
    from json_each(${JSON.stringify(entries)})`
  return { selection: new ExpandedSelection(selection), size }
}

/** A frequently linked page. */
export interface TrendingLink {
  readonly id: CardId
  /** A moderator has yet to decide about the page and its host. */
  readonly requiresReview: boolean
  readonly card: Card
  readonly creator: AccountFacts | null
  readonly history: readonly DailyUsage[]
}

/**
 * Loads the cards a selection names by rows (id, cursor), with their creator accounts and usage: one statement.
 */
export function loadTrendingLinks(ctx: Ctx, selection: SQL): Query<TrendingLink[]> {
  const week = weekUntil(ctx.clock.now())
  const found = rows(
    ctx.db
      .select({
        id: previewCards.id,
        card: previewCards.card,
        requiresReview: sql<number>`${previewCards.trendable} is null and not exists (select 1
          from trend_publishers p where p.domain = ${previewCards.host} and p.reviewed_at is not null)`.as(
          'requires_review',
        ),
        creator: creatorCell.as('creator'),
        history: storedUsageCell('trending_links', 'card_id', sql`${previewCards.id}`).as('history'),
      })
      .from(sql`(${selection}) page`)
      .crossJoin(previewCards)
      .leftJoin(creators, eq(creators.id, sql`${previewCards.card} ->> '$.creatorId'`))
      .where(sql`${previewCards.id} = page.id`)
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (list) =>
    list.map((link) => ({
      ...link,
      requiresReview: link.requiresReview === 1,
      history: parseUsage(link.history, week),
    })),
  )
}
