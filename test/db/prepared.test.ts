import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { prepared, preparedInsert, preparedShapes, preparedSql, preparedWrite } from '../../src/db/prepared'
import { execute, rawResults, rows } from '../../src/db/query'
import { accounts, counters } from '../../src/db/schema'
import { context } from '../support/test-app'

const { db, ids } = context()

/** A select of one number, and how often its text was built. */
function counted() {
  let built = 0
  const select = prepared(['number'], (from, { number }) => {
    built += 1
    return from.select({ found: sql<number>`${number}`.as('found') }).from(sql`(select 1)`)
  })
  const run = async (number: Parameters<typeof select>[1]['number']) =>
    (await execute(db, rows(select(db, { number })))).map(({ found }) => found)
  return { run, built: () => built }
}

describe('a prepared statement', () => {
  it('a prepared statement is built once and binds the value of each run', async () => {
    const { run, built } = counted()
    expect([await run(1), await run(2), await run(null)]).toEqual([[1], [2], [null]])
    expect(built()).toBe(1)
  })

  it('accepts SQL with its own parameters at a placeholder, wherever it is named', async () => {
    const select = prepared(['before', 'chosen', 'after'], (from, { before, chosen, after }) =>
      from
        .select({ found: sql<string>`${before} || ${chosen} || ${after} || ${chosen}`.as('found') })
        .from(sql`(select 1)`),
    )
    const chosen = sql`(select ${'b'} || ${'c'})`
    expect(await execute(db, rows(select(db, { before: 'a', chosen, after: '?' })))).toEqual([
      { found: 'abc?bc' },
    ])
  })

  it('a prepared statement has a text for each shape', async () => {
    const select = preparedShapes(['number'], (from, { number }, { isNegative }: { isNegative: boolean }) =>
      from
        .select({ found: sql<number>`${isNegative ? sql`-` : sql`+`} ${number}`.as('found') })
        .from(sql`(select 1)`),
    )
    const run = (isNegative: boolean) => execute(db, rows(select(db, { number: 7 }, { isNegative })))
    expect([await run(true), await run(false), await run(true)]).toEqual([
      [{ found: -7 }],
      [{ found: 7 }],
      [{ found: -7 }],
    ])
  })

  it('refuses a value of the first request in its text', () => {
    const viewer = 42
    const select = prepared([], (from) =>
      from.select({ found: sql<number>`${viewer}`.as('found') }).from(sql`(select 1)`),
    )
    expect(() => select(db, {})).toThrow('A prepared statement binds 42')
  })
})

describe('prepared SQL', () => {
  it('prepared SQL is built once, and gets the values and the SQL of each use', async () => {
    let built = 0
    const joined = preparedSql(['left', 'right'], ({ left, right }) => {
      built += 1
      return sql`(coalesce(${right}, '-') || ${left} || coalesce(${right}, '-'))`
    })
    const run = async (values: Parameters<typeof joined>[0]) =>
      execute(
        db,
        rows(db.select({ found: sql<string>`${joined(values)}`.as('found') }).from(sql`(select 1)`)),
      )
    expect(await run({ left: 'a?', right: sql`(select ${'b'} || ${'c'})` })).toEqual([{ found: 'bca?bc' }])
    expect(await run({ left: 'd', right: null })).toEqual([{ found: '-d-' }])
    expect(built).toBe(1)
  })

  it('refuses a value of the first use in its text', () => {
    expect(() => preparedSql([], () => sql`${42}`)({})).toThrow('A prepared statement binds 42')
  })
})

describe('a prepared write', () => {
  it('a prepared write is built once, and binds the values and the SQL of each run', async () => {
    let built = 0
    const addTo = preparedWrite(['name', 'by'], (from, { name, by }) => {
      built += 1
      return from
        .update(counters)
        .set({ value: sql`${counters.value} + ${by}` })
        .where(sql`name = ${name}`)
    })
    await db.insert(counters).values([
      { name: 'one?', value: 1 },
      { name: 'two', value: 2 },
    ])
    await execute(
      db,
      rawResults([
        addTo(db, { name: 'one?', by: 10 }),
        addTo(db, { name: 'two', by: sql`(select ${20} + ${30})` }),
        addTo(db, { name: "' or 1 --", by: 99 }),
      ]),
    )
    const found = await db.select().from(counters).where(sql`name in ('one?', 'two')`)
    expect(found).toEqual([
      { name: 'one?', value: 11 },
      { name: 'two', value: 52 },
    ])
    expect(built).toBe(1)
  })

  it('reports how many rows changed', async () => {
    const insert = preparedWrite(
      ['name'],
      (_db, { name }) =>
        sql`insert into ${counters} (name, value) values (${name}, 0) on conflict do nothing`,
    )
    const once = insert(db, { name: 'made once' })
    expect(await execute(db, rawResults([once, once]))).toMatchObject([
      { meta: { changes: 1 } },
      { meta: { changes: 0 } },
    ])
  })

  it('refuses a value of the first run in its text', () => {
    const write = preparedWrite([], (from) => from.update(counters).set({ value: 42 }))
    expect(() => write(db, {})).toThrow('A prepared statement binds 42')
  })
})

describe('a prepared insert', () => {
  const insert = preparedInsert(accounts)
  const at = new Date('2026-11-29T10:00:00.123Z')
  const required = { createdAt: at, updatedAt: at }
  type Row = Parameters<typeof insert>[1]

  /** The rows as they are stored by a prepared insert and by Drizzle itself, without their ids and names. */
  async function storedBoth(given: readonly Omit<Row, 'id' | 'username'>[]) {
    const withIds = () => given.map((row) => ({ ...row, id: ids.next(), username: `alice?${ids.next()}` }))
    const [byText, byDrizzle] = [withIds(), withIds()]
    await execute(db, rawResults(byText.map((row) => insert(db, row))))
    for (const row of byDrizzle) await db.insert(accounts).values(row)
    const stored = async (made: readonly Row[]) => {
      const chosen = `select * from accounts where id in (${made.map(({ id }) => id).join(', ')}) order by id`
      const { results } = await env.DB.prepare(chosen).all()
      return results.map(({ id: _id, username: _username, ...row }) => row)
    }
    return [await stored(byText), await stored(byDrizzle)]
  }

  it('stores the same as Drizzle: instants, flags, JSON, nulls, and the defaults of absent values', async () => {
    const full = {
      ...required,
      domain: 'elsewhere.example',
      fields: [{ name: "'?", value: '?', html: '"', verifiedAt: null }],
      avatar: { remote: 'https://elsewhere.example/?' },
      locked: true,
      discoverable: false,
      hideCollections: null,
      lastStatusAt: at,
      suspendedAt: null,
      displayName: "Robert'); drop table accounts; --",
    }
    const [prepared, expected] = await storedBoth([
      required,
      full,
      { ...required, domain: undefined, fields: undefined, avatar: null, lastStatusAt: undefined },
      { ...full, domain: 'other.example', fields: [], lastStatusAt: null },
    ])
    expect(prepared).toHaveLength(4)
    expect(prepared).toEqual(expected)
  })
})
