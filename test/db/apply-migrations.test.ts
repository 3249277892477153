import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { applyNextPiece, type Migration, Migrations, nextPiece } from '../../src/db/apply-migrations'

const file = await env.ASSETS.fetch('https://assets.invalid/migrations.json')
const migrations = Migrations.parse(await file.json())
const total = migrations.reduce((sum, { statements }) => sum + statements.length, 0)
const db = env.APART

const Made = z.array(z.object({ name: z.string(), sql: z.string().nullable() }))

async function schemaOf(database: D1Database) {
  const { results } = await database
    .prepare(
      "select name, sql from sqlite_master where name not like 'sqlite_%' and name not like '_cf_%' order by name",
    )
    .all()
  return Made.parse(results)
}

async function appliedIn(database: D1Database) {
  const { results } = await database.prepare('select name from d1_migrations order by id').all()
  return z
    .array(z.object({ name: z.string() }))
    .parse(results)
    .map(({ name }) => name)
}

async function applyAll(database: D1Database, most = 100): Promise<number> {
  for (let pieces = 1; pieces <= most; pieces++) {
    const { done } = await applyNextPiece(database, migrations)
    if (done === total) return pieces
  }
  throw new Error('The migrations never end')
}

/** The database, counting statements, whose batch with such a number fails before it is sent or once it is applied. */
function failing(database: D1Database, { batch: wanted, applied }: { batch: number; applied: boolean }) {
  let sent = 0
  return new Proxy(database, {
    get(target, key) {
      if (key !== 'batch') return Reflect.get(target, key).bind(target)
      return async (statements: D1PreparedStatement[]) => {
        sent += 1
        if (sent === wanted && !applied) throw new Error('Killed')
        const results = await target.batch(statements)
        if (sent === wanted) throw new Error('Killed')
        return results
      }
    },
  })
}

/** Empties the databases and objects of this file; the next one begins on an empty database anyway. */
async function empty(): Promise<void> {
  await db.prepare('select 1').run()
  await reset()
}

beforeEach(empty)

describe('migrations applied by the server', () => {
  it('migrations leave the schema and the names that wrangler leaves', async () => {
    await applyAll(db)
    expect(await appliedIn(db)).toEqual(migrations.map(({ name }) => name))
    const own = await schemaOf(db)
    await empty()
    await applyD1Migrations(db, env.TEST_MIGRATIONS)
    const named = (made: z.output<typeof Made>) => made.filter(({ name }) => name !== 'd1_migrations')
    expect(named(own)).toEqual(named(await schemaOf(db)))
  })

  it('migrations are sent in at most 50 statements an invocation, with those that read and note', async () => {
    let [pieces, most] = [0, 0]
    const counting = new Proxy(db, {
      get: (target, key) =>
        key === 'batch'
          ? (statements: D1PreparedStatement[]) => {
              inPiece += statements.length
              return target.batch(statements)
            }
          : Reflect.get(target, key).bind(target),
    })
    let inPiece = 0
    let isDone = false
    while (!isDone) {
      inPiece = 0
      isDone = (await applyNextPiece(counting, migrations)).done === total
      pieces += 1
      most = Math.max(most, inPiece)
    }
    expect(most).toBeLessThanOrEqual(50)
    expect(pieces).toBeLessThanOrEqual(20)
  })

  it('migrations go on where wrangler stopped, and wrangler where they stopped', async () => {
    await applyD1Migrations(db, env.TEST_MIGRATIONS.slice(0, 30))
    await applyNextPiece(db, migrations)
    const begun = await appliedIn(db)
    expect(begun.length).toBeGreaterThan(30)
    await applyD1Migrations(db, env.TEST_MIGRATIONS)
    expect(await applyNextPiece(db, migrations)).toEqual({ done: total, total })
    expect(await appliedIn(db)).toEqual(migrations.map(({ name }) => name))
  })

  it.each([false, true])(
    'migrations go on after any piece that was killed, once its batch was applied: %s',
    async (applied) => {
      const pieces = await applyAll(db)
      const whole = await schemaOf(db)
      await empty()
      // A piece is two batches: one that reads, one that applies.
      for (let piece = 1; piece < pieces; piece++) {
        const killed = failing(db, { batch: 2, applied })
        await expect(applyNextPiece(killed, migrations)).rejects.toThrow('Killed')
        if (!applied) await applyNextPiece(db, migrations)
      }
      expect(await applyAll(db)).toBe(1)
      expect(await schemaOf(db)).toEqual(whole)
      expect(await appliedIn(db)).toEqual(migrations.map(({ name }) => name))
    },
  )

  it('migrations are applied once by two calls at once', async () => {
    let pieces = 0
    for (let isDone = false; !isDone; pieces++) {
      const outcomes = await Promise.allSettled([
        applyNextPiece(db, migrations),
        applyNextPiece(db, migrations),
      ])
      isDone = outcomes.some(({ status, ...rest }) => 'value' in rest && rest.value.done === total)
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
      expect(pieces).toBeLessThan(100)
    }
    expect(await appliedIn(db)).toEqual(migrations.map(({ name }) => name))
  })

  it('migrations of a database that has all of them change nothing', async () => {
    await applyAll(db)
    const before = await schemaOf(db)
    expect(await applyNextPiece(db, migrations)).toEqual({ done: total, total })
    expect(await schemaOf(db)).toEqual(before)
  })
})

describe('a piece of migrations', () => {
  const migration = (name: string, count: number): Migration => ({
    name,
    statements: Array.from({ length: count }, (_, index) => `select ${index} /* ${name} */`),
  })
  const none: ReadonlyMap<string, number> = new Map()

  it('a piece of migrations holds whole migrations while they fit, and leaves the next one for the next piece', () => {
    const all = [migration('a', 20), migration('b', 20), migration('c', 20)]
    expect(nextPiece(all, new Set(), none)).toMatchObject({ applied: ['a', 'b'], part: null })
    expect(nextPiece(all, new Set(['a', 'b']), none)).toMatchObject({ applied: ['c'], part: null })
  })

  it('a piece of migrations splits a migration that is longer than a piece, behind what came before it', () => {
    const all = [migration('a', 10), migration('long', 100), migration('b', 3)]
    const first = nextPiece(all, new Set(), none)
    expect(first).toMatchObject({ applied: ['a'], part: { name: 'long', done: 34 } })
    const second = nextPiece(all, new Set(['a']), new Map([['long', 34]]))
    expect(second).toMatchObject({ applied: [], part: { name: 'long', done: 78 } })
    const third = nextPiece(all, new Set(['a']), new Map([['long', 78]]))
    expect(third).toMatchObject({ applied: ['long', 'b'], part: null })
    expect(third.statements).toHaveLength(25)
  })
})
