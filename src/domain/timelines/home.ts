import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  type BoundedSelection,
  constant,
  first,
  jsonRows,
  limitTo,
  map,
  type Query,
  rows,
} from '../../db/query'
import { homeEntries, markers, quotes, statuses, users } from '../../db/schema'
import type { HomeKind } from '../../db/schema/accounts'
import type { ListId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { candidateLimit, type Page, pageSql, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { notBlockedOrMutedBy } from '../policy/blocks-and-mutes'
import { authorNotSuspended, visibleTo } from '../policy/visibility'

const entry = alias(homeEntries, 'e')
const status = alias(statuses, 's')
const original = alias(statuses, 'original')

/**
 * The newest entries of the viewer's home feed: own and followed accounts' statuses, as rows (id, cursor).
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function homeSelection(viewer: ViewerRef, page: Page, now: Date): BoundedSelection {
  return scanFeed(page, viewer, now, sql`${homeEntries} e where ${entry.accountId} = ${viewer.id}`)
}

/** `homeSelection` without the kinds of entries that the viewer chose not to see on the home page of the web client. */
export function chosenHomeSelection(viewer: ViewerRef, page: Page, now: Date): BoundedSelection {
  return scanFeed(
    page,
    viewer,
    now,
    sql`${homeEntries} e where ${entry.accountId} = ${viewer.id}`,
    isOfChosenKind(viewer),
  )
}

/** Entry of home with what catch-up groups it by. */
export interface ScannedEntry {
  readonly id: number
  readonly person: number
  readonly conversation: number
  /** The status that it shows: of a reblog the original. */
  readonly shown: number
}

/** Entries of a scan, newest first. */
export interface HomeScan {
  readonly entries: readonly ScannedEntry[]
  /** Id of the first entry, one that the viewer does not want included; null where there is none. */
  readonly newest: number | null
  /** Id that the next scan begins below; null at the end. */
  readonly below: number | null
}

/** Entries that a scan looks at: so few that the page around it reads at most five hundred rows. */
export const entriesPerScan = 100

/** Bounds of catch-up: entries that are newer than `after` and than the marker of home, or than `otherwise` where there is none. */
export interface CatchUpBounds {
  readonly after: number
  readonly otherwise: number
  readonly below: number | null
}

/** Reads entries of home without what they show, as far as the viewer wants them there. One statement, three rows for an entry. */
export function scanHome(ctx: Ctx, viewer: ViewerRef, bounds: CatchUpBounds): Query<HomeScan> {
  const read = sql`(select ${markers.lastReadId} from ${markers}
    where ${markers.accountId} = ${viewer.id} and ${markers.timeline} = 'home')`
  const below = bounds.below === null ? sql`1` : sql`${homeEntries.statusId} < ${bounds.below}`
  const newest = sql`(select ${homeEntries.statusId} as id from ${homeEntries} where ${homeEntries.accountId} = ${viewer.id}
    and ${homeEntries.statusId} > max(${bounds.after}, coalesce(${read}, ${bounds.otherwise})) and ${below}
    order by ${homeEntries.statusId} desc ${limitTo(entriesPerScan)}) found`
  const id = sql<number>`found.id`
  const conversation = sql`case when ${status.reblogOfId} is null then ${status.conversationId}
    else (select ${original.conversationId} from ${statuses} original where ${original.id} = ${status.reblogOfId}) end`
  const columns = {
    id: id.as('id'),
    person: sql<number | null>`${status.accountId}`.as('person'),
    shown: sql<number>`coalesce(${status.reblogOfId}, ${id})`.as('shown'),
    conversation: sql<number>`coalesce(${conversation}, ${status.reblogOfId}, ${id})`.as('conversation'),
    // Posts of the viewer are known to them.
    isWanted: sql<number>`coalesce(${status.accountId} <> ${viewer.id} and ${isOfChosenKind(viewer)}, 0)`.as(
      'is_wanted',
    ),
  }
  const found = ctx.db
    .select(columns)
    .from(newest)
    .leftJoin(status, sql`${status.id} = ${id}`)
    .orderBy(sql`${id} desc`)
  return map(rows(found), (list) => ({
    entries: list.flatMap(({ isWanted, person, ...entry }) =>
      isWanted === 1 && person !== null ? [{ ...entry, person }] : [],
    ),
    newest: list[0]?.id ?? null,
    below: list.length < entriesPerScan ? null : (list.at(-1)?.id ?? null),
  }))
}

/** Statuses of these entries of the viewer's home that may be shown there, in their order: the cursor is the place, from -1 down. */
export function chosenEntries(
  viewer: ViewerRef,
  { ids, limit }: { readonly ids: readonly number[]; readonly limit: number },
  now: Date,
): SQL {
  return sql`select ${status.id} as id, -1 - item.key as cursor
    from ${jsonRows(ids)} cross join ${homeEntries} e cross join ${statuses} s
    where ${entry.accountId} = ${viewer.id} and ${entry.statusId} = item.value and ${status.id} = ${entry.statusId}
      and ${authorNotSuspended()} and ${notBlockedOrMutedBy(viewer, now)}
    order by item.key ${limitTo(limit)}`
}

/** True for an entry `s` of a kind that the viewer wants at home. Replies to the viewer are always wanted. */
function isOfChosenKind(viewer: ViewerRef): SQL {
  // Not correlated with the entry, so SQLite reads the choice once per page.
  const isWithout = (kind: HomeKind) => sql`exists (select 1 from ${users},
    json_each(${users.settings}, '$.homeWithout') left_out
    where ${users.accountId} = ${viewer.id} and left_out.value = ${kind})`
  const { reblogOfId, inReplyToId, inReplyToUri, inReplyToAccountId, accountId } = status
  return sql`(${reblogOfId} is null or not ${isWithout('boosts')})
    and (${inReplyToId} is null and ${inReplyToUri} is null or ${inReplyToAccountId} = ${viewer.id} or ${accountId} = ${viewer.id}
      or not ${isWithout('replies')})
    and (not ${isWithout('quotes')} or not exists (select 1 from ${quotes} where ${quotes.statusId} = ${status.id}))`
}

/**
 * The newest statuses by members of the viewer's list, as rows (id, cursor); empty for another account's list.
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function listSelection(
  viewer: ViewerRef,
  { id, now }: { readonly id: ListId; readonly now: Date },
  page: Page,
): BoundedSelection {
  const list = sql`(select l.id from lists l where l.id = ${id} and l.account_id = ${viewer.id})`
  return scanFeed(page, viewer, now, sql`list_entries e where e.list_id = ${list}`)
}

/**
 * The newest entries of a feed, rows `e` of a table with its condition, as rows (id, cursor).
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
function scanFeed(page: Page, viewer: ViewerRef, now: Date, entries: SQL, wanted = sql`1`): BoundedSelection {
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`e.status_id`,
    candidates: (bounds) => sql`select e.status_id as cursor from ${entries} and ${bounds}`,
    shown: (candidates) => sql`select ${status.id} as id, entry.cursor as cursor
      from (${candidates}) entry cross join ${statuses} s
      where ${status.id} = entry.cursor and ${authorNotSuspended()} and ${notBlockedOrMutedBy(viewer, now)} and ${wanted}`,
  })
}

/** Conversations used that span the start of a page, and conversations examined for them. */
const maxSpanning = { used: 80, examined: 240 } as const

/** Candidates read per entry shown: direct statuses in a thread may be between others. */
const candidatesPerEntry = 3

/**
 * The direct statuses a viewer sent or received, newest first, as rows (id, cursor).
 *
 * Read through the viewer's conversations: no index leads from an account to the statuses that mention it.
 */
export function directSelection(viewer: ViewerRef, page: Page, now: Date): SQL {
  // Verbatim condition of the partial index of direct statuses, which covers every column read here.
  const inThread = pageSql(
    page,
    sql`own.id`,
    (bounds) => sql`select own.id from statuses own where own.visibility = 'direct'
      and own.conversation_id = thread.conversation_id and ${bounds}`,
  )
  const candidates = pageSql(
    { ...page, limit: page.limit * candidatesPerEntry },
    sql`found.id`,
    (
      bounds,
    ) => sql`select distinct found.id as id from (${conversationsFor(viewer, page)}) thread cross join statuses found
      where found.id in (${inThread}) and ${bounds}`,
  )
  return pageSql(
    page,
    sql`s.id`,
    (bounds) => sql`select s.id as id, s.id as cursor from (${candidates}) candidate cross join statuses s
      where s.id = candidate.id and ${bounds} and ${visibleTo(viewer)} and ${notBlockedOrMutedBy(viewer, now)}`,
  )
}

/**
 * Conversations a page can come from. Of those entirely on its side, at most one per entry of the page: each has
 * at least one status nearer to its start than all of the next.
 */
function conversationsFor(viewer: ViewerRef, { limit, maxId, minId }: Page): SQL {
  const own = sql`select c.conversation_id from conversations c where c.account_id = ${viewer.id}`
  if (minId !== undefined)
    return sql`select * from (${own} and c.id > ${minId} order by c.id ${limitTo(limit)})
      union ${spanning(viewer, sql`c.last_status_id > ${minId}`, sql`near.id <= ${minId}`)}`
  if (maxId === undefined) return sql`${own} order by c.last_status_id desc ${limitTo(limit)}`
  return sql`select * from (${own} and c.last_status_id < ${maxId} order by c.last_status_id desc ${limitTo(limit)})
    union ${spanning(viewer, sql`c.last_status_id >= ${maxId}`, sql`near.id < ${maxId}`)}`
}

/** Conversations that end on one side of the start of a page and begin on the other, of the nearest ones. */
function spanning(viewer: ViewerRef, ends: SQL, begins: SQL): SQL {
  return sql`select * from (select near.conversation_id from (
      select c.id, c.conversation_id from conversations c where c.account_id = ${viewer.id} and ${ends}
        order by c.last_status_id ${limitTo(maxSpanning.examined)}) near
    where ${begins} ${limitTo(maxSpanning.used)})`
}

/** The viewer's favourites, newest favourite first, as rows (id, cursor); the cursor is the favourite's id. */
export function favouritesSelection(viewer: ViewerRef, page: Page): BoundedSelection {
  return interactionSelection(sql`favourites`, viewer, page)
}

/** The viewer's bookmarks, newest bookmark first, as rows (id, cursor); the cursor is the bookmark's id. */
export function bookmarksSelection(viewer: ViewerRef, page: Page): BoundedSelection {
  return interactionSelection(sql`bookmarks`, viewer, page)
}

function interactionSelection(interactions: SQL, viewer: ViewerRef, page: Page): BoundedSelection {
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`m.id`,
    candidates: (bounds) => sql`select m.status_id as id, m.id as cursor from ${interactions} m
      where m.account_id = ${viewer.id} and ${bounds}`,
    shown: (candidates) => sql`select s.id as id, met.cursor as cursor
      from (${candidates}) met cross join statuses s where s.id = met.id and ${visibleTo(viewer)}`,
  })
}

/** Entries that a count of newer ones looks at. */
const mostNewer = 40

/**
 * Counts entries of the viewer's home feed above `id` that the home page of the web client shows, among at most forty; zero without
 * an id. Filters are not applied.
 */
export function countNewerEntries(ctx: Ctx, viewer: ViewerRef, id: number | null): Query<number> {
  if (id === null) return constant(0)
  const newer = sql`(select ${homeEntries.statusId} as id from ${homeEntries}
    where ${homeEntries.accountId} = ${viewer.id} and ${homeEntries.statusId} > ${id} ${limitTo(mostNewer)}) as newer`
  const shown = sql`${newer} cross join ${statuses} s`
  return map(
    first(
      ctx.db
        .select({ count: sql<number>`count(*)`.as('count') })
        .from(shown)
        .where(sql`s.id = newer.id and ${isOfChosenKind(viewer)}`),
    ),
    (row) => row?.count ?? 0,
  )
}
