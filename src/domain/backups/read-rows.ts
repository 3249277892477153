import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, map, type Query, rows } from '../../db/query'
import { limitTo, oneRow } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { type DumpedTable, tablesBehind } from './tables'

/** Values of a primary key. */
export type RowPlace = readonly (number | string)[]
const Place = z.array(z.union([z.number(), z.string()]))

/** Rows of a table that follow each other. */
export interface Piece {
  /** A line of JSON for each row: the values of its columns, in their order. */
  readonly lines: readonly string[]
  /** The last of the rows; null where there are none. */
  readonly last: RowPlace | null
  readonly isLast: boolean
}

/** D1 allows 32 arguments to a function. */
const mostArguments = 30

/**
 * Reads the next `most` rows of a table behind `after`, in the order of the primary key. SQLite writes the JSON: a Worker
 * that made it of single values would need several times the CPU.
 */
export function readPiece(ctx: Ctx, table: DumpedTable, after: RowPlace | null, most: number): Query<Piece> {
  const key = sql.raw(table.key.map(quoted).join(', '))
  const values = sql.join(
    (after ?? []).map((value) => sql`${value}`),
    sql`, `,
  )
  const behind = after === null ? sql`true` : sql`(${key}) > (${values})`
  const found = ctx.db
    .select({ line: sql<string>`${lineOf(table)}`.as('line') })
    .from(sql.raw(quoted(table.name)))
    .where(sql`${behind} order by ${key} ${limitTo(most)}`)
  return map(rows(found), (read) => {
    const lines = read.map(({ line }) => line)
    const last = lines.at(-1)
    return { lines, last: last === undefined ? null : placeOf(table, last), isLast: lines.length < most }
  })
}

/** Names of the tables behind one that have rows, in their order. A row read for each. */
export function filledBehind(ctx: Ctx, table: DumpedTable): Query<string[]> {
  const tables = tablesBehind(table)
  const cells = tables.map(({ name }) => `exists (select 1 from ${quoted(name)})`)
  const found = ctx.db.select({ flags: sql<string>`${sql.raw(listOf(cells))}`.as('flags') }).from(oneRow)
  return map(first(found), (row) => {
    const flags = z.array(z.number()).parse(JSON.parse(row?.flags ?? '[]'))
    return tables.filter((_, index) => flags[index] === 1).map(({ name }) => name)
  })
}

function placeOf({ key, columns }: DumpedTable, line: string): RowPlace {
  const values = z.array(z.unknown()).parse(JSON.parse(line))
  return Place.parse(key.map((name) => values[columns.findIndex((column) => column.name === name)]))
}

/** JSON list of the columns of a row. */
function lineOf({ columns }: DumpedTable): SQL {
  return sql.raw(listOf(columns.map(({ name, isReal }) => (isReal ? exactReal(quoted(name)) : quoted(name)))))
}

/** JSON list of any number of cells. */
function listOf(cells: readonly string[]): string {
  const lists: string[] = []
  for (let start = 0; start < cells.length; start += mostArguments)
    lists.push(`json_array(${cells.slice(start, start + mostArguments).join(', ')})`)
  const [head = 'json_array()', ...tail] = lists
  return tail.reduce((joined, list) => `rtrim(${joined}, ']') || ',' || substr(${list}, 2)`, head)
}

/** SQLite's JSON has 15 digits of a number, of which 17 are needed to read the same one again. */
function exactReal(column: string): string {
  return `case when ${column} is null then null else json(format('%!.17g', ${column})) end`
}

function quoted(name: string): string {
  return `"${name}"`
}
