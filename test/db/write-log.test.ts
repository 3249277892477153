import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { namedTables, observeBinding, WriteLog, writtenTables } from '../../src/db/observed-binding'
import { cascadingTables, triggeredWrites } from '../../src/db/schema/write-effects'

const statement = /\b(?:insert(?: or \w+)? into|update(?: or \w+)?|delete from)\s+["`]?(\w+)/gi

async function schemaOf(type: 'table' | 'trigger' | 'view') {
  const found = await env.DB.prepare(
    `select name, tbl_name, sql from sqlite_master where type = ? and name not like 'sqlite%' and name not like '\\_cf%' escape '\\'`,
  )
    .bind(type)
    .all()
  return z.array(z.object({ name: z.string(), tbl_name: z.string(), sql: z.string() })).parse(found.results)
}

describe('further effects of a write', () => {
  it('further effects of a write are listed for every trigger', async () => {
    const direct = new Map<string, readonly string[]>()
    for (const { tbl_name: table, sql } of await schemaOf('trigger')) {
      const body = sql.slice(sql.search(/\bbegin\b/i))
      const targets = [...body.matchAll(statement)].map(([, target = '']) => target)
      direct.set(table, [...(direct.get(table) ?? []), ...targets])
    }
    const reached = (table: string, seen: Set<string>): Set<string> => {
      for (const target of direct.get(table) ?? []) if (!seen.has(target)) reached(target, seen.add(target))
      return seen
    }
    const tables = new Set((await schemaOf('table')).map(({ name }) => name))
    const isListed = (name: string) => tables.has(name) && !/_search$/.test(name)
    const expected = [...direct.keys()]
      .filter(isListed)
      .map((table) => [table, [...reached(table, new Set())].filter(isListed).sort()])
    expect(new Map([...triggeredWrites].map(([table, written]) => [table, [...written].sort()]))).toEqual(
      new Map(expected.map(([table, written]) => [table, written])),
    )
  })

  it('further effects of a write are listed for every foreign key', async () => {
    const parents = new Set<string>()
    for (const { name } of await schemaOf('table')) {
      const { results } = await env.DB.prepare(`pragma foreign_key_list(${name})`).all()
      const keys = z.array(z.object({ table: z.string(), on_delete: z.string(), on_update: z.string() }))
      for (const { table, on_delete: onDelete, on_update: onUpdate } of keys.parse(results)) {
        expect(onUpdate, name).toBe('NO ACTION')
        if (!['NO ACTION', 'RESTRICT'].includes(onDelete)) parents.add(table)
      }
    }
    expect([...cascadingTables].sort()).toEqual([...parents].sort())
  })
})

describe('the tables a statement writes', () => {
  it.each([
    ['select * from accounts where id in (select 1)', []],
    ['with x as (select 1) select * from x', []],
    ['insert into "home_entries" ("account_id") values (?)', ['home_entries', 'full_home_feeds']],
    ['INSERT OR IGNORE INTO `counters` values (1)', ['counters']],
    ['  update "counters" set value = 1', ['counters']],
    ['update or ignore settings set value = 1', ['settings']],
    ['with x as (select 1) update settings set value = (select * from x)', ['settings']],
    ['with x as (select 1) insert into settings select * from x', ['settings']],
    ['delete from poll_votes where id = 1', ['poll_votes', 'search_stale']],
    ['insert into "follow_requests" values (1)', ['follow_requests', 'list_accounts']],
    ['delete from "accounts" where id = 1', 'all'],
    ['insert or replace into statuses values (1)', 'all'],
    ['replace into tags values (1)', 'all'],
    ['with x as (select 1) delete from users', 'all'],
  ] as const)('%s', (text, tables) => {
    expect(writtenTables(text)).toEqual(tables)
  })

  it('an upsert writes one table', () => {
    const text = 'insert into settings values (1) on conflict (key) do update set value = excluded.value'
    expect(writtenTables(text)).toContain('settings')
  })

  it('written tables are found once for each text', () => {
    const text = 'update counters set value = value + 1'
    const found = writtenTables(text)
    expect(writtenTables(`${text}`)).toBe(found)
    for (let index = 0; index < 1_000; index += 1) writtenTables(`select ${index}`)
    expect(writtenTables(text)).toEqual(found)
    expect(writtenTables(text)).not.toBe(found)
  })

  it('written tables are found for a read by their names', () => {
    expect(namedTables(['select 1 from "accounts" a join users', 'select value from settings'])).toEqual(
      expect.arrayContaining(['accounts', 'settings', 'users']),
    )
    expect(namedTables(['select account_id from "mutes"'])).toEqual(['mutes'])
  })
})

describe('an observed binding', () => {
  const ignore = () => undefined
  const observed = () => {
    const log = new WriteLog()
    return { log, ...observeBinding(env.DB, log, { sent: ignore, answered: ignore, failedWrite: ignore }) }
  }
  const write = "insert into settings (key, value, updated_at) values ('seen', '1', 1) on conflict do nothing"

  it('logs single statements and batches, not reads', async () => {
    const { log, binding } = observed()
    await binding.prepare('select * from settings').all()
    await binding.batch([binding.prepare('select 1')])
    expect(log.position).toBe(0)
    await binding.prepare(write).run()
    expect([log.isUnwritten(['settings'], 0), log.isUnwritten(['accounts'], 0)]).toEqual([false, true])
    const before = log.position
    await binding.batch([binding.prepare('select 1'), binding.prepare(write)])
    expect(log.isUnwritten(['settings'], before)).toBe(false)
  })

  it('logs a bound statement each time it runs', async () => {
    const { log, binding } = observed()
    const statement = binding.prepare('update settings set value = ? where key = ?')
    for (const value of ['1', '2']) {
      const before = log.position
      await binding.batch([statement.bind(value, 'seen')])
      expect(log.isUnwritten(['settings'], before)).toBe(false)
    }
  })

  it('logs a write after its response, also a failed one, because it may have been executed', async () => {
    const { log, binding } = observed()
    const running = binding.batch([binding.prepare(write)])
    expect(log.position).toBe(0)
    await running
    expect(log.position).toBe(1)
    const failing = binding.batch([binding.prepare("insert into settings (key) values ('no value')")])
    await expect(failing).rejects.toThrow()
    expect(log.position).toBe(2)
  })

  it('treats a deletion with cascades as a write to everything', async () => {
    const { log, binding } = observed()
    await binding.batch([binding.prepare('delete from accounts where id = ?').bind(-1)])
    expect(log.isUnwritten(['custom_emojis'], 0)).toBe(false)
    expect(log.isUnwritten(['custom_emojis'], log.position)).toBe(true)
  })
})
