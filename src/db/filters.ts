import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { FilterRule } from '../contract/filters'
import { optionalJsonRow } from './json-row'
import { filters } from './schema'

const Keywords = z.array(z.tuple([z.number(), z.string(), z.number()]))
const Statuses = z.array(z.tuple([z.number(), z.number()]))

function list<T>(selection: SQL, read: (entries: unknown) => T) {
  return sql`(select json_group_array(json(part)) from (${selection}))`.mapWith((cell: string) =>
    read(JSON.parse(cell)),
  )
}

/** Sorted here: an order in the subquery reads each row twice. */
function oldestFirst<E extends readonly [number, ...unknown[]]>(entries: readonly E[]): E[] {
  return entries.toSorted(([a], [b]) => a - b)
}

/**
 * Columns of a select from `filters` that load them with keywords and statuses; each row may join several, or
 * none.
 */
export const filterCells = {
  filter: optionalJsonRow(getTableColumns(filters)).as('filter'),
  keywords: list(
    sql`select json_array(id, keyword, whole_word) as part from filter_keywords
      where filter_id = filters.id`,
    (entries) =>
      oldestFirst(Keywords.parse(entries)).map(([id, keyword, whole]) => ({
        id,
        keyword,
        wholeWord: whole === 1,
      })),
  ).as('keywords'),
  statuses: list(
    sql`select json_array(id, status_id) as part from filter_statuses where filter_id = filters.id`,
    (entries) => oldestFirst(Statuses.parse(entries)).map(([id, statusId]) => ({ id, statusId })),
  ).as('statuses'),
}

interface FilterRow extends Pick<FilterRule, 'keywords' | 'statuses'> {
  readonly filter: typeof filters.$inferSelect | null
}

/** Decodes a row of those columns as a filter; null if none was joined. */
export function filterOf({ filter, keywords, statuses }: FilterRow): FilterRule | null {
  if (filter === null) return null
  const { id, title, contexts, action, expiresAt } = filter
  return { id, title, contexts, action, expiresAt, keywords, statuses }
}
