import { type GetColumnData, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

type Columns = Readonly<Record<string, SQLiteColumn>>
type Row<C extends Columns> = { readonly [K in keyof C]: GetColumnData<C[K]> }

/** D1 allows 32 arguments to a function. */
const groupSize = 30

/**
 * Columns of one table as one JSON column of a joined select, decoded into a row.
 *
 * Result columns are what costs CPU when a page is read: a page of 20 statuses in 80 plain columns took 1.8 ms
 * to run and to map, as JSON rows 0.3 ms. It also keeps apart columns of one name, which D1 returns by name.
 */
export function jsonRow<C extends Columns>(columns: C): SQL<Row<C>> {
  const read = reader(columns)
  return sql`${sql.raw(cellOf(columns))}`.mapWith((cell: string) => read(JSON.parse(cell)) as Row<C>)
}

/** JSON row for the right side of a left join: null if nothing was joined, detected by the column `id`. */
export function optionalJsonRow<C extends Columns & { readonly id: SQLiteColumn }>(
  columns: C,
): SQL<Row<C> | null> {
  const { cell, read } = optionalJsonPart(columns)
  return sql`${sql.raw(cell)}`.mapWith((text: string) => read(JSON.parse(text)))
}

/** A JSON row as a part of a larger JSON column: its SQL, and what decodes it once parsed. */
export interface JsonPart<R> {
  readonly cell: string
  readonly read: (parsed: JsonGroups | null) => R
}

/** A parsed JSON row: its values in groups. */
export type JsonGroups = readonly (readonly unknown[])[]

export function jsonPart<C extends Columns>(columns: C): JsonPart<Row<C>> {
  const read = reader(columns)
  return {
    cell: cellOf(columns),
    read(parsed) {
      const row = read(parsed ?? [])
      if (!isRowOf(columns, row)) throw new TypeError('A JSON row lacks a column')
      return row
    },
  }
}

function isRowOf<C extends Columns>(columns: C, row: object): row is Row<C> {
  return Object.keys(columns).every((key) => key in row)
}

/** `jsonPart` for the right side of a left join: null if nothing was joined, detected by the column `id`. */
export function optionalJsonPart<C extends Columns & { readonly id: SQLiteColumn }>(
  columns: C,
): JsonPart<Row<C> | null> {
  const { cell, read } = jsonPart(columns)
  return {
    cell: `case when ${address(columns.id)} is null then null else ${cell} end`,
    read: (parsed) => (parsed === null ? null : read(parsed)),
  }
}

function address(column: SQLiteColumn): string {
  return `"${getTableName(column.table)}"."${column.name}"`
}

function cellOf(columns: Columns): string {
  const cells = Object.values(columns).map((column) =>
    column.dataType === 'json' ? `json(${address(column)})` : address(column),
  )
  const groups: string[] = []
  for (let start = 0; start < cells.length; start += groupSize)
    groups.push(`json_array(${cells.slice(start, start + groupSize).join(', ')})`)
  return `json_array(${groups.join(', ')})`
}

/** Decodes a JSON row as written by `cellOf`, once parsed. */
function reader(columns: Columns): (groups: JsonGroups) => object {
  const decoders = Object.entries(columns).map(([key, column]) => [key, decoderOf(column)] as const)
  return (groups) => {
    const row: Record<string, unknown> = {}
    for (const [index, [key, decode]] of decoders.entries()) {
      const value = groups[Math.floor(index / groupSize)]?.[index % groupSize] ?? null
      row[key] = value === null ? null : decode(value)
    }
    return row
  }
}

function decoderOf(column: SQLiteColumn): (value: unknown) => unknown {
  switch (column.dataType) {
    case 'date':
      return (value) => new Date(Number(value))
    case 'boolean':
      return (value) => value === 1
    default:
      return (value) => value
  }
}
