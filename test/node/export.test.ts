import { readFileSync } from 'node:fs'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as schema from '../../src/db/schema'

const columnsOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(schema)
    .filter((table) => is(table, SQLiteTable))
    .map((table) => [getTableName(table), Object.values(getTableColumns(table)).map(({ name }) => name)]),
)

/** Rows of the table in docs/operate/export.md: the tables of a row, and the columns that it names for each. */
function documented() {
  const lines = readFileSync('docs/operate/export.md', 'utf8').matchAll(
    /^\| (`\w+\.jsonl`.*?) \| .*? \| (.*) \|$/gm,
  )
  return [...lines].map(([, files = '', columns = '']) => ({
    tables: [...files.matchAll(/`(\w+)\.jsonl`/g)].map(([, name = '']) => name),
    groups: columns.split(';').map((group) => [...group.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
  }))
}

it('names existing tables and columns', () => {
  const rows = documented().filter(({ tables }) => tables[0] !== 'media')
  expect(rows.length).toBeGreaterThan(15)
  const wrong = rows.flatMap(({ tables, groups }) =>
    tables.flatMap((table, index) => {
      const known = columnsOf.get(table)
      if (known === undefined) return [table]
      // Groups are of a table each where there is more than one.
      const named = groups.length === 1 ? groups[0] : groups[Math.min(index, groups.length - 1)]
      return (named ?? []).filter((column) => !known.includes(column)).map((column) => `${table}.${column}`)
    }),
  )
  expect(wrong).toEqual([])
})
