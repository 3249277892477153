import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { execute, openDb } from '../../src/db/query'
import { type PruneLimits, pruneDatabase } from '../../src/domain/pruning/prune'
import { lastState, type PruneState } from '../../src/domain/pruning/state'
import { type Costs, countingDb } from '../support/costs'
import { fillD1 } from '../support/scale/in-d1'
import { clock, context } from '../support/test-app'

const db = env.APART
const ctxOf = (binding: D1Database) => context({ db: openDb(binding) }, binding)
const minute = 60_000

beforeAll(async () => {
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  await fillD1('200000', db)
  // The counts of servers include them all.
  await db.prepare('update status_counting set counted_before = (select max(id) + 1 from statuses)').run()
}, 240_000)

async function stateNow(): Promise<PruneState> {
  const state = await execute(ctxOf(db).db, lastState(ctxOf(db)))
  if (state === null) throw new Error('Nothing was pruned')
  return state
}

async function numberOf(text: string): Promise<number> {
  return z.object({ n: z.number() }).parse(await db.prepare(`select (${text}) as n`).first()).n
}

/** Prunes a part as cron would, and says what it cost. */
async function prunePart(limits: Partial<PruneLimits>): Promise<Costs> {
  const counted = countingDb(db)
  await pruneDatabase(ctxOf(counted.db), limits)
  return counted.read()
}

interface Totals {
  rowsRead: number
  rowsWritten: number
  parts: number
  mostRead: number
  mostWritten: number
}

/** Prunes minute by minute until the run rests. */
async function pruneUntilRest(limits: Partial<PruneLimits>): Promise<Totals> {
  const totals = { rowsRead: 0, rowsWritten: 0, parts: 0, mostRead: 0, mostWritten: 0 }
  do {
    const costs = await prunePart(limits)
    expect(costs.statements).toBeLessThanOrEqual(16)
    totals.parts += 1
    totals.rowsRead += costs.rowsRead
    totals.rowsWritten += costs.rowsWritten
    totals.mostRead = Math.max(totals.mostRead, costs.rowsRead)
    totals.mostWritten = Math.max(totals.mostWritten, costs.rowsWritten)
    clock.advance(minute)
  } while ((await stateNow()).outcome === 'pruning')
  return totals
}

/** Marks of local accounts and local statuses, which nothing may lower. */
const marks = `(select count(*) from statuses where local = 1) || '/' || (select count(*) from bookmarks) || '/' ||
  (select count(*) from favourites f where exists (select 1 from users u where u.account_id = f.account_id)) || '/' ||
  (select count(*) from notifications) || '/' || (select count(*) from follows) || '/' ||
  (select count(*) from home_entries h cross join statuses s on s.id = h.status_id)`
const readMarks = async () => (await db.prepare(`select ${marks} as marks`).first())?.['marks']

/** A database whose next batch of writes is lost, as when the runtime is killed. */
function failingOnce(): D1Database {
  return new Proxy(db, {
    get(target, key) {
      if (key === 'batch')
        return async (statements: D1PreparedStatement[]) => {
          if (statements.length > 6) throw new Error('killed')
          return target.batch(statements)
        }
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('among 200,000 statuses', () => {
  let full = 0
  let before: { readonly statuses: number; readonly marks: unknown }

  beforeAll(async () => {
    before = { statuses: await numberOf('select count(*) from statuses'), marks: await readMarks() }
    await pruneDatabase(ctxOf(db), { bytes: 1e12 })
    full = (await stateNow()).bytes
    clock.advance(3_600_000)
  })

  it('pruning takes no more than its daily rows on the free plan, in small parts', async () => {
    expect(before.statuses).toBeGreaterThanOrEqual(199_000)
    const day = await pruneUntilRest({ bytes: Math.floor(full * 0.95) })
    const { outcome, today, rowsRead, rowsWritten } = await stateNow()
    expect(outcome).toBe('paused until tomorrow')
    expect(today.statuses).toBeGreaterThan(7_000)
    expect(day.rowsWritten).toBeLessThanOrEqual(rowsWritten)
    expect(day.rowsRead).toBeLessThanOrEqual(rowsRead)
    // As scripts/bench/day counts a pruned status.
    expect(day.rowsWritten / today.statuses).toBeLessThanOrEqual(2.3)
    expect(day.rowsRead / today.statuses).toBeLessThanOrEqual(98)
    expect(rowsWritten).toBeLessThanOrEqual(31_000)
    expect(rowsRead).toBeLessThanOrEqual(1_000_000)
    expect(day.mostRead).toBeLessThanOrEqual(20_000)
    expect(day.mostWritten).toBeLessThanOrEqual(1_000)
  })

  it('pruning reaches its budget, after interruptions and with two runs at once, and keeps every favourite and bookmark', async () => {
    clock.advance(86_400_000)
    const limits = { bytes: Math.floor(full * 0.99), rowsRead: 1e9, rowsWritten: 1e9 }
    await expect(pruneDatabase(ctxOf(failingOnce()), limits)).rejects.toThrow('killed')
    for (let parts = 0; parts < 20; parts += 1) {
      await Promise.all([pruneDatabase(ctxOf(db), limits), pruneDatabase(ctxOf(db), limits)])
      clock.advance(minute)
    }
    await pruneUntilRest(limits)
    const { outcome, bytes, total } = await stateNow()
    expect(outcome).toBe('within budget')
    expect(bytes).toBeLessThanOrEqual(limits.bytes)
    // Each deleted status is counted once.
    expect(await numberOf('select count(*) from statuses')).toBe(before.statuses - total.statuses)
    expect(await readMarks()).toBe(before.marks)
  }, 240_000)

  it('pruning deletes accounts without relations in parts of no more rows', async () => {
    await db
      .prepare(`insert into accounts (id, username, domain, uri, created_at, updated_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
        select i, 'lone' || i, 'lone.test', 'https://lone.test/' || i, 0, 0 from n`)
      .run()
    await db
      .prepare(`insert into remote_actors (account_id, inbox, fetched_at)
        select id, uri || '/inbox', 0 from accounts where domain = 'lone.test'`)
      .run()
    await db
      .prepare(`insert into actor_keys (key_id, account_id, public_key, created_at)
        select uri || '#main-key', id, 'key', 0 from accounts where domain = 'lone.test'`)
      .run()
    const state = await stateNow()
    await db
      .prepare(`update settings set value = json_set(value, '$.stage', 'accounts', '$.rowsRead', 0, '$.rowsWritten', 0)
        where key = 'task.prune'`)
      .run()
    for (let parts = 0; parts < 3; parts += 1) {
      const costs = await prunePart({ bytes: 0, rowsRead: 1e9, rowsWritten: 1e9 })
      const { rowsRead, rowsWritten, total } = await stateNow()
      expect(total.accounts - state.total.accounts).toBe((parts + 1) * 100)
      expect(costs.rowsWritten).toBeLessThanOrEqual(rowsWritten / (parts + 1))
      expect(costs.rowsRead).toBeLessThanOrEqual(rowsRead / (parts + 1))
      // As scripts/bench/day counts a pruned account: its row, words, addresses and key, and the count of its server.
      expect(costs.rowsWritten / 100).toBeLessThanOrEqual(5.1)
    }
  })
})
