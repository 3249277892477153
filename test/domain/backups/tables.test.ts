import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { dumpedTables, leftOut } from '../../../src/domain/backups/tables'

/** Tables that SQLite, D1 and the full-text indexes keep for themselves. */
const own = /^(sqlite_|_cf|d1_)|^(account|status)_search(_|$)/

async function tableNames(): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(`select name from sqlite_master where type = 'table'`).all()
  const names = z.array(z.object({ name: z.string() })).parse(results)
  return names.map(({ name }) => name).filter((name) => !own.test(name))
}

it('backs up every table of the migrated database, or names the reason for leaving it out', async () => {
  const tables = await tableNames()
  const dumped = dumpedTables().map(({ name }) => name)
  expect([...dumped, ...Object.keys(leftOut)].toSorted()).toEqual(tables.toSorted())
  for (const reason of Object.values(leftOut)) expect(reason).toMatch(/^\w+( \S+){3,}$/)
})

const References = z.array(z.object({ table: z.string() }))

async function referredToBy(table: string): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(`pragma foreign_key_list("${table}")`).all()
  return References.parse(results).map((reference) => reference.table)
}

it('leaves out no table that a row of a backup refers to, except live connections', async () => {
  const owned: string[] = []
  for (const name of Object.keys(leftOut))
    if ((await referredToBy(name)).some((table) => !Object.hasOwn(leftOut, table))) owned.push(name)
  expect(owned).toEqual(['presences'])
})

it('orders tables so that no row refers to a later one', async () => {
  const names = dumpedTables().map(({ name }) => name)
  const early: string[] = []
  for (const [place, name] of names.entries()) {
    for (const table of await referredToBy(name))
      if (table !== name && names.indexOf(table) > place) early.push(`${name} before ${table}`)
  }
  expect(early).toEqual([])
})

it('names the keys and columns of the database', async () => {
  const Columns = z.array(z.object({ name: z.string(), type: z.string(), pk: z.number() }))
  for (const { name, columns, key } of dumpedTables()) {
    const { results } = await env.DB.prepare(`pragma table_info("${name}")`).all()
    const found = Columns.parse(results)
    expect(columns.map((column) => column.name).toSorted()).toEqual(
      found.map((column) => column.name).toSorted(),
    )
    expect(
      columns
        .filter(({ isReal }) => isReal)
        .map((column) => column.name)
        .toSorted(),
    ).toEqual(
      found
        .filter(({ type }) => type === 'REAL')
        .map((column) => column.name)
        .toSorted(),
    )
    const primary = found.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    expect([name, ...key]).toEqual([name, ...primary.map((column) => column.name)])
    expect(found.filter(({ type }) => !['INTEGER', 'TEXT', 'REAL'].includes(type))).toEqual([])
  }
})
