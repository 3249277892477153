import { type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'

/**
 * `column IN (…)` for a list of any length: D1 binds at most 100 parameters, so the list travels as one JSON value.
 */
export function isIn(column: AnySQLiteColumn | SQL, values: readonly (number | string)[]): SQL {
  return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`
}

/** The rows of a JSON list as a table `item(key, value)`: what a multi-row insert selects from. */
export function each(values: readonly unknown[]): SQL {
  return sql`json_each(${JSON.stringify(values)}) as item`
}
