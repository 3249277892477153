import { type SQL, sql } from 'drizzle-orm'
import { BoundedSelection, CostlySelection, limitTo } from '../../db/query'
/** Start of a page: ids strictly below `maxId`, strictly above `sinceId` or `minId`; `minId` reads upwards. */
export interface Page {
  readonly limit: number
  readonly maxId?: number | undefined
  readonly sinceId?: number | undefined
  readonly minId?: number | undefined
}

/**
 * Cuts a page out of `select`, which returns rows (id, cursor) and takes the bounds as a condition on `cursor`.
 *
 * `minId` selects upwards; the caller sorts by cursor, newest first.
 */
export function pageSql(page: Page, cursor: SQL, select: (bounds: SQL) => SQL): SQL {
  const upwards = page.minId !== undefined
  const order = upwards ? sql`${cursor} asc` : sql`${cursor} desc`
  return sql`${select(pageBounds(page, cursor))} order by ${order} ${limitTo(page.limit)}`
}

/** Bounds of a page as a condition. Of two lower bounds only the higher one: SQLite starts its scan at the first. */
export function pageBounds(page: Page, cursor: SQL): SQL {
  const isOpenBelow = page.sinceId === undefined && page.minId === undefined
  const above = Math.max(page.sinceId ?? 0, page.minId ?? 0)
  const bounds = [
    ...(page.maxId === undefined ? [] : [sql`${cursor} < ${page.maxId}`]),
    ...(isOpenBelow ? [] : [sql`${cursor} > ${above}`]),
  ]
  return bounds.length === 0 ? sql`1` : sql.join(bounds, sql` and `)
}

/** Entries of a page that may be selected again, where each links something that is loaded for the whole page. */
const smallPage = 20

/** Scan of candidates of which only some belong to the page. */
interface Scan {
  /** Tables that both subqueries may name: comma separated, each followed by a comma. */
  readonly named?: SQL
  /** Visible rows among a bounded number of candidates, in the order of the page: rows (id, cursor). */
  readonly shown: SQL
  /** Subquery of the cursor of the last candidate, if there may be more behind it. */
  readonly last: SQL
  readonly of: 'statuses' | 'accounts'
}

/**
 * Cuts a page out of candidates. The number of candidates is bounded, however few of them are visible: a page may
 * be short, and then names where it ended. `last` is evaluated only in that case.
 */
export function boundedPage(page: Page, scan: Scan): BoundedSelection {
  const { named = sql``, shown, last, of } = scan
  // Arbitrary row: the loader skips ids it cannot find.
  const anyId = sql.raw(`(select max(id) from ${of})`)
  const whole = sql`${shown} ${limitTo(page.limit)}`
  // A single JSON column, whose length is known without reading it again.
  const found = sql`found(list, size) as materialized (
    select json_group_array(json_array(id, cursor)), count(*) from (${whole}))`
  const reached = sql`reached(cursor) as materialized (
    select case when size < ${page.limit} then ${last} end from found)`
  const Kept = page.limit > smallPage ? CostlySelection : BoundedSelection
  return new Kept(
    sql`with recursive ${named} ${found}, ${reached}
    select item.value ->> 0 as id, item.value ->> 1 as cursor, 0 as is_end
      from found cross join json_each(found.list) item
    union all
    select ${anyId}, cursor, 1 from reached where cursor is not null`,
    sql`with recursive ${named} whole as (${whole}) select * from whole`,
  )
}

/** Rows that one anonymous request may read, a little less than the whole limit: some rows are always read. */
const rowsPerRequest = 1_900

/** Upper bounds of the rows that loading reads: each entry with everything it can have, and lookups once per page. */
const loading = {
  statuses: { entry: 24, once: 340 },
  /** Entries that may be reblogs of statuses that quote others. */
  reblogs: { entry: 36, once: 340 },
  people: { entry: 7, once: 0 },
} as const

interface Cost {
  /** Rows read per candidate. */
  readonly each: number
  readonly limit: number
  readonly of: keyof typeof loading
  /** Selections the loader makes; once by default. */
  readonly selections?: number
  /** Rows of candidates, where fewer are enough. */
  readonly scan?: number
}

/**
 * Number of candidates that may be read for a page, so that one request stays within its bound even at the highest
 * cost: their own rows, one row more each to find the last of them, and everything that loading reads.
 */
export function candidateLimit({ each, limit, of, selections = 1, scan = rowsPerRequest }: Cost): number {
  const { entry, once } = loading[of]
  const left = Math.min(scan, rowsPerRequest - limit * entry - once)
  return Math.max(limit, Math.floor(left / (each + 1) / selections))
}

/** Candidates that an index has in the order of the page. */
interface IndexScan extends Pick<Scan, 'of'> {
  /** Maximum number of candidates read. */
  readonly most: number
  /** Column whose order is that of the candidates. */
  readonly cursor: SQL
  /** Candidates that meet `bounds`, as rows that have at least a `cursor`; unordered. */
  candidates(bounds: SQL): SQL
  /** Visible rows among `candidates`, as rows (id, cursor) in the same order. */
  shown(candidates: SQL): SQL
}

/** Ordered in the subquery: the outer query keeps the order, and sorting again would read all candidates. */
export function scanIndex(page: Page, { most, cursor, candidates, shown, of }: IndexScan): BoundedSelection {
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const inOrder = sql`${candidates(pageBounds(page, cursor))} order by cursor ${direction}`
  return boundedPage(page, {
    shown: shown(sql`${inOrder} ${limitTo(most)}`),
    last: sql`(select cursor from (${inOrder} ${limitTo(1)} offset ${sql.raw(String(most - 1))}))`,
    of,
  })
}

/** Rows of a table called `m` that lead to accounts, in the order of their ids. */
interface RelationScan {
  /** With an index on the columns of `where`, followed by the id. */
  readonly table: 'blocks' | 'mutes' | 'follow_requests' | 'endorsements' | 'list_accounts'
  /** Column with the related account. */
  readonly person: 'account_id' | 'target_account_id'
  readonly where: SQL
  /** Condition: `met.id` may be shown. */
  readonly shown: SQL
  /** Selections the loader makes; one by default. */
  readonly selections?: number
}

/** `scanIndex` for the accounts that rows of a relation lead to, as rows (id, cursor); the cursor is the row's id. */
export function scanRelation(
  page: Page,
  { table, person, where, shown, selections = 1 }: RelationScan,
): BoundedSelection {
  const [rows, whose] = [sql.raw(`${table} m`), sql.raw(`m.${person}`)]
  return scanIndex(page, {
    most: candidateLimit({ each: 3, limit: page.limit, of: 'people', selections }),
    of: 'accounts',
    cursor: sql`m.id`,
    candidates: (bounds) =>
      sql`select ${whose} as id, m.id as cursor from ${rows} where ${where} and ${bounds}`,
    shown: (candidates) =>
      sql`select met.id as id, met.cursor as cursor from (${candidates}) met where ${shown}`,
  })
}

interface StatusScan extends Pick<IndexScan, 'most'> {
  readonly where: SQL
  readonly shown: SQL
}

/** `scanIndex` for candidates that are rows of `statuses` called `s`, in the order of their ids. */
export function scanStatuses(page: Page, { most, where, shown }: StatusScan): BoundedSelection {
  return scanIndex(page, {
    most,
    of: 'statuses',
    cursor: sql`s.id`,
    candidates: (bounds) => sql`select s.*, s.id as cursor from statuses s where ${where} and ${bounds}`,
    shown: (candidates) => sql`select s.id as id, s.cursor as cursor from (${candidates}) s where ${shown}`,
  })
}

/** Condition: the status `s` is public, its author's own, and no reply to others. */
export const isOpening = sql`s.visibility = 'public' and s.reblog_of_id is null
  and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)`

/** The latest statuses of all kinds with ids above `since`, at most so many. */
export function latestStatuses({ since, most }: { readonly since: number; readonly most: number }): SQL {
  return sql`select * from statuses where id > ${since} order by id desc ${limitTo(most)}`
}

/**
 * A page over the ids of one table, for statements that select its columns: the bounds for `where`, and order with
 * limit for `orderBy`. Pages of `minId` come oldest first; `newestFirst` sorts them.
 */
export function idPage(page: Page, cursor: SQL): { readonly bounds: SQL; readonly order: SQL } {
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  return { bounds: pageBounds(page, cursor), order: sql`${cursor} ${direction} ${limitTo(page.limit)}` }
}

/** The rows of a page by descending id. */
export function newestFirst<Row extends { readonly id: number }>(found: readonly Row[]): Row[] {
  return found.toSorted((a, b) => b.id - a.id)
}
