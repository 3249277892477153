import { type GetColumnData, type SQL, sql } from 'drizzle-orm'
import { type AnySQLiteColumn, integer, type SQLiteColumn, text } from 'drizzle-orm/sqlite-core'

/**
 * `column IN (…)` for a list of any length: D1 binds at most 100 parameters, so the list travels as one JSON
 * value.
 */
export function inList(column: AnySQLiteColumn | SQL, values: readonly (number | string)[]): SQL {
  return inJsonList(column, sql`${JSON.stringify(values)}`)
}

/** `inList` for a list that is JSON already: the placeholder of a prepared statement. */
export function inJsonList(column: AnySQLiteColumn | SQL, list: SQL): SQL {
  return sql`${column} in (select value from json_each(${list}))`
}

/** The rows of a JSON list as a table `item(key, value)`: the source of a multi-row insert. */
export function jsonRows(values: readonly unknown[]): SQL {
  return jsonTable(sql`${JSON.stringify(values)}`)
}

/** `jsonRows` for a list that is JSON already: the placeholder of a prepared statement. */
export function jsonTable(list: SQL): SQL {
  return sql`json_each(${list}) as item`
}

/**
 * The values of a key-value table under `keys`, as the columns of one row; null for absent keys.
 *
 * Each key is looked up by itself: D1 bills every member of an `in (…)` list as a row read.
 */
export function lookupColumns<K extends string, V extends SQLiteColumn>(
  keys: readonly K[],
  at: { readonly key: SQLiteColumn; readonly value: V; readonly prefix?: string },
) {
  const { key, value, prefix = '' } = at
  const columns = keys.map((name) => [
    name,
    sql`(select ${value} from ${value.table} where ${key} = ${prefix + name})`.mapWith(value).as(name),
  ])
  return Object.fromEntries(columns) as { readonly [N in K]: SQL.Aliased<Data<V> | null> }
}

/** A table of one empty row, for selections that only look things up. */
export const oneRow: SQL = sql`(select 1) as one`

/**
 * The number of rows a statement stops at, as a literal. Bound, SQLite plans with its value and therefore
 * compiles the statement again at every run: half of what a page cost in the database.
 */
export function limitTo(count: number): SQL {
  if (!Number.isSafeInteger(count)) throw new RangeError(`Not a number of rows: ${count}`)
  return sql.raw(`limit ${count}`)
}

type Data<C extends SQLiteColumn> = GetColumnData<C>

/**
 * Columns under names of their own: D1 returns a batch as objects by column name, so of two joined columns
 * called `id` one would be lost.
 */
export function prefixedColumns<C extends Readonly<Record<string, SQLiteColumn>>>(
  prefix: string,
  columns: C,
) {
  return aliased(prefix, columns) as { readonly [K in keyof C]: SQL.Aliased<Data<C[K]>> }
}

/** Prefixed columns for the right side of a left join, where every column may be null. */
export function optionalPrefixedColumns<C extends Readonly<Record<string, SQLiteColumn>>>(
  prefix: string,
  columns: C,
) {
  return aliased(prefix, columns) as { readonly [K in keyof C]: SQL.Aliased<Data<C[K]> | null> }
}

function aliased(prefix: string, columns: Readonly<Record<string, SQLiteColumn>>): object {
  return Object.fromEntries(
    Object.entries(columns).map(([key, column]) => [
      key,
      sql`${column}`.mapWith(column).as(`${prefix}_${column.name}`),
    ]),
  )
}

/** An instant: `Date` in code, integer milliseconds in D1. */
export const instant = (name: string) => integer(name, { mode: 'timestamp_ms' })

/** A truth value: `boolean` in code, 0 or 1 in D1. */
export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** A value that is only ever read with its row, stored as JSON text. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

/** A 53-bit id of one concept; see lib/snowflake. */
export const id = <T extends number>(name: string) => integer(name).$type<T>()

/** The first status id that no count of a server or a remote author includes: cron counts once a day. */
export const countedBefore = sql`(select counted_before from status_counting where id = 1)`
