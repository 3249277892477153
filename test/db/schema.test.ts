import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as schema from '../../src/db/schema'

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable))

const Column = z.object({ name: z.string(), type: z.string(), notnull: z.number(), pk: z.number() })

async function columnsIn(table: string) {
  const { results } = await env.DB.prepare(`PRAGMA table_info(${table})`).all()
  return z.array(Column).parse(results)
}

describe('the Drizzle tables', () => {
  // account_search and status_search are full-text indexes with their shadow tables: Drizzle cannot declare them.
  it('the Drizzle tables name every table of the migrated database', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'
        AND name NOT LIKE 'd1_%' AND name NOT LIKE 'account_search%' AND name NOT LIKE 'status_search%'`,
    ).all()
    const migrated = z.array(z.object({ name: z.string() })).parse(results)
    expect(tables.map((table) => getTableName(table)).sort()).toEqual(migrated.map(({ name }) => name).sort())
  })

  for (const table of tables)
    it(`the columns of ${getTableName(table)} equal the migrated ones, with the same types`, async () => {
      const declared = Object.values(getTableColumns(table)).map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: column.notNull,
      }))
      const migrated = await columnsIn(getTableName(table))
      const made = migrated.map(({ name, type, notnull, pk }) => ({
        name,
        type,
        notnull: notnull === 1 || pk > 0,
      }))
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
      expect(declared.sort(byName)).toEqual(made.sort(byName))
    })
})
