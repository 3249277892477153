import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'

/** Where a page starts: ids strictly below `maxId`, strictly above `sinceId` or `minId`; `minId` reads upwards. */
export interface Page {
  readonly limit: number
  readonly maxId?: number | undefined
  readonly sinceId?: number | undefined
  readonly minId?: number | undefined
}

/**
 * Cuts a page out of `select`, which answers rows (id, cursor) and takes the bounds as a condition on `cursor`.
 *
 * `minId` selects upwards; whoever reads sorts by cursor, newest first.
 */
export function pageSql(page: Page, cursor: SQL, select: (bounds: SQL) => SQL): SQL {
  const upwards = page.minId !== undefined
  const order = upwards ? sql`${cursor} asc` : sql`${cursor} desc`
  return sql`${select(withinPage(page, cursor))} order by ${order} ${limitTo(page.limit)}`
}

/** The bounds of a page as a condition. */
export function withinPage(page: Page, cursor: SQL): SQL {
  const bounds = [
    ...(page.maxId === undefined ? [] : [sql`${cursor} < ${page.maxId}`]),
    ...(page.sinceId === undefined ? [] : [sql`${cursor} > ${page.sinceId}`]),
    ...(page.minId === undefined ? [] : [sql`${cursor} > ${page.minId}`]),
  ]
  return bounds.length === 0 ? sql`1` : sql.join(bounds, sql` and `)
}
