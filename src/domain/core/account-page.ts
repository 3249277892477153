import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import { limitTo } from '../../db/sql'
import { boundedPage, candidateLimit, type Page, pageBounds } from './page'

/** People who stand in one relation, that an index has in the order of their own ids alone. */
interface AccountRelation {
  readonly table: 'favourites' | 'statuses' | 'endorsements'
  /** The column that says whose row it is, the second of an index. */
  readonly person: 'account_id' | 'target_account_id'
  /** Which rows of the table, called `m`: what the index begins with, and conditions on the row itself. */
  readonly where: SQL
  /** How many there are, roughly: a counter that is kept. Absent: they are counted as far as it matters. */
  readonly count?: SQL
  /** May `met.id` be shown? */
  readonly shown: SQL
}

/** As many can be sorted for every page. */
const maxSorted = 250

/**
 * A page of people, as rows (id, cursor). Few of them come in the order of the rows that make the relation, newest
 * first. Where there are more, an index for that order would cost a row at every favourite, and sorting would read
 * them all: then they come by their own ids. A cursor tells by itself which of the two it belongs to.
 */
export function accountsPage(
  page: Page,
  { table, person, where, count, shown }: AccountRelation,
): BoundedSelection {
  const [rows, whose] = [sql.raw(`${table} m`), sql.raw(`m.${person}`)]
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const most = candidateLimit({ each: 2, limit: page.limit, of: 'people' })
  const counted = sql`(select count(*) from (select 1 from ${rows} where ${where} ${limitTo(maxSorted + 1)}))`
  const at = page.maxId ?? page.sinceId ?? page.minId
  const isMany =
    at === undefined
      ? sql`coalesce(${count ?? counted}, 0) > ${maxSorted}`
      : sql`exists (select 1 from accounts paged where paged.id = ${at})`
  // A limit of 0 reads nothing, so that only one of the two is read.
  const all = sql`select ${whose} as person, m.id as mark from ${rows} where ${where}
    order by ${whose} limit (select iif(is_many, 0, ${2 * maxSorted}) from mode)`
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
