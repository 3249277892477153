import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import * as z from 'zod'

const Name = z.object({ name: z.string(), sql: z.string().nullable() })
const Reference = z.object({ id: z.number(), seq: z.number(), table: z.string(), from: z.string() })
const Column = z.object({ name: z.string(), pk: z.number() })
const Index = z.object({ name: z.string(), partial: z.number() })
const IndexColumn = z.object({ seqno: z.number(), name: z.string().nullable() })

async function read<T>(row: z.ZodType<T>, text: string): Promise<T[]> {
  return z.array(row).parse((await env.DB.prepare(text).all()).results)
}

/** Columns that indexes of `table` begin with, its primary key included. */
async function indexesOf(table: string): Promise<string[][]> {
  const key = (await read(Column, `pragma table_info('${table}')`))
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
  const found = [key.map(({ name }) => name)]
  for (const { name, partial } of await read(Index, `pragma index_list('${table}')`)) {
    const columns = (await read(IndexColumn, `pragma index_info('${name}')`)).map(
      (column) => column.name ?? '',
    )
    const [{ sql } = { sql: null }] = await read(
      Name,
      `select name, sql from sqlite_master where name = '${name}'`,
    )
    // A reference is never null, so an index of the rows that have one finds all of them. No other partial index does.
    const isWhole =
      partial === 0 || new RegExp(`where\\s+${columns[0]}\\s+is\\s+not\\s+null\\s*$`, 'i').test(sql ?? '')
    if (isWhole) found.push(columns)
  }
  return found
}

it('every foreign key has an index: without one, each deletion of a referenced row scans the table', async () => {
  const missing: string[] = []
  let references = 0
  const tables = await read(Name, `select name, sql from sqlite_master where type = 'table'`)
  for (const { name: table } of tables.filter(({ sql }) => /references/i.test(sql ?? ''))) {
    const indexes = await indexesOf(table)
    const keys = Map.groupBy(await read(Reference, `pragma foreign_key_list('${table}')`), ({ id }) => id)
    for (const key of keys.values()) {
      references += 1
      const columns = key.toSorted((a, b) => a.seq - b.seq).map(({ from }) => from)
      const isCovered = indexes.some((index) => columns.every((column, at) => index[at] === column))
      if (!isCovered) missing.push(`${table} (${columns}) -> ${key[0]?.table}`)
    }
  }
  expect(references).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
