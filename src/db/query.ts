import { type GetColumnData, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import { type AnySQLiteColumn, integer, type SQLiteColumn, text } from 'drizzle-orm/sqlite-core'
import { NotFound } from '../errors'

type Statement = RunnableQuery<unknown, 'sqlite'>

/**
 * Statements not yet run, with the decoder of their results. Queries combine into one round trip to the
 * database.
 */
export interface Query<T> {
  readonly statements: readonly Statement[]
  readonly decode: (results: readonly unknown[]) => T
}

/** Every row of one statement. */
export function rows<Row>(statement: RunnableQuery<Row[], 'sqlite'>): Query<Row[]> {
  // The one assertion of the read path: a batch returns results in the order of its statements.
  return { statements: [statement], decode: ([result]) => result as Row[] }
}

/** The first row of one statement, or null. */
export function first<Row>(statement: RunnableQuery<Row[], 'sqlite'>): Query<Row | null> {
  return map(rows(statement), (found) => found[0] ?? null)
}

/** A query that throws `NotFound` where it finds nothing. */
export function orNotFound<T>(query: Query<T | null>): Query<T> {
  return map(query, (found) => {
    if (found === null) throw new NotFound()
    return found
  })
}

/** A constant value, without a statement. */
export function constant<T>(value: T): Query<T> {
  return { statements: [], decode: () => value }
}

export function map<A, B>(query: Query<A>, change: (value: A) => B): Query<B> {
  return { statements: query.statements, decode: (results) => change(query.decode(results)) }
}

export function both<A, B>(a: Query<A>, b: Query<B>): Query<readonly [A, B]> {
  return {
    statements: [...a.statements, ...b.statements],
    decode: (results) => [
      a.decode(results.slice(0, a.statements.length)),
      b.decode(results.slice(a.statements.length)),
    ],
  }
}

type Answers<Q extends Readonly<Record<string, Query<unknown>>>> = {
  readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never
}

/** Combines named queries. */
export function combineQueries<Q extends Readonly<Record<string, Query<unknown>>>>(
  queries: Q,
): Query<Answers<Q>> {
  const names = Object.keys(queries)
  const parts = Object.values(queries)
  return {
    statements: parts.flatMap((part) => part.statements),
    decode: (results) => {
      let offset = 0
      const entries = parts.map((part, index) => {
        const own = results.slice(offset, offset + part.statements.length)
        offset += part.statements.length
        return [names[index], part.decode(own)]
      })
      return Object.fromEntries(entries) as Answers<Q>
    },
  }
}

/** Combines any number of like queries. */
export function all<T>(queries: readonly Query<T>[]): Query<readonly T[]> {
  return {
    statements: queries.flatMap((query) => query.statements),
    decode: (results) => {
      let offset = 0
      return queries.map(({ statements: { length }, decode: take }) => {
        offset += length
        return take(results.slice(offset - length, offset))
      })
    },
  }
}

/** Statements with undecoded results: writes, among queries. */
export function rawResults(statements: readonly Statement[]): Query<readonly unknown[]> {
  return { statements, decode: (results) => results }
}

/** Runs a query: one round trip, however many statements. */
export async function execute<T>(db: Db, query: Query<T>): Promise<T> {
  const [head, ...tail] = query.statements
  if (head === undefined) return query.decode([])
  return query.decode(await db.batch([head, ...tail]))
}

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

/**
 * A selection that examines a limited number of candidates, as rows (id, cursor, is_end).
 *
 * If it stops at the limit before the page is full, a last row with `is_end` names the last candidate: it is
 * not shown, and the next page starts after it.
 */
export class BoundedSelection {
  constructor(
    readonly rows: SQL,
    /** The page as rows (id, cursor), without the row that says where it ended. */
    readonly page: SQL,
  ) {}
}

/** A selection that reads many rows for each: loaders keep its rows, instead of selecting again what they need twice. */
export class CostlySelection extends BoundedSelection {}

/**
 * A page whose rows were chosen before, each with what it refers to, as rows (id, cursor, is_quoted, linked): `linked` is the
 * JSON list of the collections that are read for the row.
 */
export class ExpandedSelection {
  constructor(readonly rows: SQL) {}
}

/** Rows (id, cursor): a whole page, or what is found among a limited number of candidates. */
export type Selection = SQL | BoundedSelection

/** Any selection as rows (id, cursor, is_end). */
export function withEnd(selection: Selection): SQL {
  if (selection instanceof BoundedSelection) return selection.rows
  return sql`select id, cursor, 0 as is_end from (${selection})`
}

/** A page of whole rows that are about statuses. */
export interface PageWithSubjects {
  readonly rows: SQL
  /** The statuses as rows (id, cursor, is_end); the cursor is the newest row about the status. */
  readonly subjects: BoundedSelection
}

export type Db = DrizzleD1Database & { readonly $client: D1Database }

export function openDb(binding: D1Database): Db {
  const db = drizzle(binding)
  const run = db.run.bind(db)
  db.run = (query) => {
    const raw = run(query)
    const build = raw.getQuery.bind(raw)
    let built: ReturnType<typeof build> | null = null
    // Drizzle asks twice for each statement of a batch, and builds the text again.
    raw.getQuery = () => {
      built ??= build()
      return built
    }
    // Drizzle 0.45 reads `stmt` of every statement of a batch that has parameters, but gives raw ones none.
    return Object.defineProperty(raw, 'stmt', { get: () => binding.prepare(raw.getQuery().sql) })
  }
  return db
}
