import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { prepared, preparedShapes, preparedSql } from '../../src/db/prepared'
import { execute, rows } from '../../src/db/query'
import { context } from '../support/test-app'

const { db } = context()

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
  it('is built once and binds the value of each run', async () => {
    const { run, built } = counted()
    expect([await run(1), await run(2), await run(null)]).toEqual([[1], [2], [null]])
    expect(built()).toBe(1)
  })

  it('takes SQL with its own parameters at a placeholder, wherever it is named', async () => {
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

  it('has a text for each shape', async () => {
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
  it('is built once, and is filled with the values and the SQL of each use', async () => {
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
