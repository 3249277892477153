import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import { boundedPage, candidateLimit, type Page, pageBounds } from './page'

/** Relation between accounts whose index is ordered by account id only. */
interface AccountRelation {
  readonly table: 'favourites' | 'statuses'
  /** Column with the related account, the second of an index. */
  readonly person: 'account_id'
  /** Condition on rows of the table, called `m`: the index prefix, and conditions on the row itself. */
  readonly where: SQL
  /** Approximate row count from a stored counter. */
  readonly count: SQL
  /** Condition: `met.id` may be shown. */
  readonly shown: SQL
}

/** Rows that can be sorted for every page, and those that may come while somebody pages through them. */
const maxSorted = 70
const maxAdded = 20

/**
 * A page of accounts, as rows (id, cursor). A few are ordered by the rows of the relation, newest first. With more,
 * an index for that order would cost a row for every favourite, and sorting would read them all: those are ordered
 * by account id. The cursor alone identifies the order it belongs to.
 */
export function accountsPage(
  page: Page,
  { table, person, where, count, shown }: AccountRelation,
): BoundedSelection {
  const [rows, whose] = [sql.raw(`${table} m`), sql.raw(`m.${person}`)]
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const most = candidateLimit({ each: 2, limit: page.limit, of: 'people', scan: 150 })
  const at = page.maxId ?? page.sinceId ?? page.minId
  const isLonger = (than: number) => sql`coalesce(${count}, 0) > ${than}`
  const isMany =
    at === undefined
      ? isLonger(maxSorted)
      : // Clients may begin at an id of their own, such as 1.
        sql`(${isLonger(maxSorted + maxAdded)}
          or exists (select 1 from accounts paged where paged.id = ${at}))`
  // `limit 0` reads nothing, so that only one of the two is read.
  const all = sql`select ${whose} as person, m.id as mark from ${rows} where ${where}
    order by ${whose} limit (select iif(is_many, 0, ${maxSorted + maxAdded}) from mode)`
  const sorted = sql`select person as id, mark as cursor from (${all})
    where ${pageBounds(page, sql`mark`)} order by mark ${direction}`
  const byId = sql`select ${whose} as id, ${whose} as cursor from ${rows}
    where ${where} and ${pageBounds(page, whose)} order by ${whose} ${direction}`
  return boundedPage(page, {
    named: sql`mode(is_many) as materialized (select ${isMany}),`,
    shown: sql`select met.id as id, met.cursor as cursor from (
        select * from (${sorted}) union all select * from (${byId} limit (select iif(is_many, ${most}, 0) from mode))) met where ${shown}`,
    last: sql`(select cursor from (${byId}
      limit (select is_many from mode) offset ${sql.raw(String(most - 1))}))`,
    of: 'accounts',
  })
}
