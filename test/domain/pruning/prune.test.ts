import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { execute, openDb } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { pruneDatabase } from '../../../src/domain/pruning/prune'
import { isPruningDue, lastState } from '../../../src/domain/pruning/state'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { fakeQueue } from '../../support/fake-queue'
import { given } from '../../support/given'
import { followed } from '../../support/given-remote'
import { agedStatus, agedStatuses, givenReason, noRoom, pruneAll, storedAmong } from '../../support/pruning'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { clock, context, settleLateWork } from '../../support/test-app'

const state = () => execute(context().db, lastState(context()))
const isDue = async () => {
  const [row] = await context().db.all<{ due: number }>(sql`select ${isPruningDue(context())} as due`)
  return row?.due === 1
}
const forget = () => context().db.run(sql`delete from settings where key = 'task.prune'`)

it('keeps remote data within the budget, and measures the database every hour', async () => {
  await forget()
  const { id } = await agedStatus(900)
  expect(await isDue()).toBe(true)
  await pruneDatabase(context())
  expect(await storedAmong([id])).toEqual([id])
  const found = await state()
  expect(found).toMatchObject({ outcome: 'within budget', measuredAt: clock.now().getTime() })
  expect(found?.bytes).toBeGreaterThan(100_000)
  expect(await isDue()).toBe(false)
  clock.advance(3_600_000)
  expect(await isDue()).toBe(true)
})

it('reads its budget and its switch from the settings', async () => {
  await forget()
  const { id } = await agedStatus(900)
  await saveSettings(context(), operator, { pruning: false })
  await pruneDatabase(context(), noRoom)
  expect(await state()).toMatchObject({ outcome: 'off' })
  expect(await storedAmong([id])).toEqual([id])
  await saveSettings(context(), operator, {
    pruning: true,
    databaseMegabytes: 50,
    keepRemoteStatusDays: 1_000,
  })
  expect(await pruneAll({})).toMatchObject({ outcome: 'within budget' })
  await pruneAll()
  expect(await storedAmong([id])).toEqual([id])
  await saveSettings(context(), operator, { databaseMegabytes: null, keepRemoteStatusDays: 7 })
  await pruneAll()
  expect(await storedAmong([id])).toEqual([])
})

it('prunes at every tick, also less than a minute after the previous one', async () => {
  await pruneAll()
  const ids = (await agedStatuses(330, 200)).map(({ id }) => id)
  await forget()
  const started = clock.now().getTime()
  const late = [0, -40, 2_500, 1_100, -900, 0]
  const runs: boolean[] = []
  for (const [tick, milliseconds] of late.entries()) {
    clock.set(new Date(started + tick * 60_000 + milliseconds))
    runs.push(await isDue())
    await pruneDatabase(context(), noRoom)
    // The tick that ran does not run it again.
    expect(await isDue()).toBe(false)
  }
  expect(runs).toEqual(late.map(() => true))
  expect(await storedAmong(ids)).toEqual([])
})

it('stops for the day once its rows are used up, and continues the next day', async () => {
  await pruneAll()
  const made = await agedStatuses(130, 200)
  const ids = made.map(({ id }) => id)
  const allowance = { ...noRoom, rowsWritten: 1 }
  expect(await pruneAll(allowance)).toMatchObject({ outcome: 'paused until tomorrow' })
  const left = await storedAmong(ids)
  expect(left).toHaveLength(30)
  expect(await isDue()).toBe(false)
  clock.advance(86_400_000)
  expect(await isDue()).toBe(true)
  await pruneDatabase(context(), allowance)
  expect(await storedAmong(ids)).toEqual([])
  expect(await state()).toMatchObject({ today: { statuses: 30 } })
})

it('notifies nobody, and does not prevent the statuses from being stored again', async () => {
  const reader = await given.account()
  const author = await given.peer()
  await followed(reader, author)
  const notes = ['by search', 'by a reblog', 'by an answer'].map((content) => author.note({ content }))
  const ask = async (q: string) =>
    (await as(reader).get(`/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`)).body
  for (const { id } of notes) expect(await ask(id)).toMatchObject({ statuses: [{ uri: id }] })
  const known = async (uri: string) =>
    (await context().db.all<{ id: number }>(sql`select id from statuses where uri = ${uri}`)).length
  clock.advance(40 * 86_400_000)
  await context().db.run(sql`delete from home_entries`)
  const [before] = await context().db.all(sql`select (select count(*) from outbox) as outbox,
    (select count(*) from tombstones) as tombstones, (select count(*) from received_activities) as received`)
  const publish = vi.fn()
  await forget()
  for (let run = 0; run < 6; run += 1) {
    await pruneDatabase(context({ streams: { ...context().streams, publish } }), noRoom)
    clock.advance(60_000)
  }
  for (const { id } of notes) expect(await known(id)).toBe(0)
  expect(publish).not.toHaveBeenCalled()
  const [after] = await context().db.all(sql`select (select count(*) from outbox) as outbox,
    (select count(*) from tombstones) as tombstones, (select count(*) from received_activities) as received`)
  expect(after).toEqual(before)

  const [searched, reblogged, answered] = notes.map(({ id }) => id)
  expect(await ask(searched ?? '')).toMatchObject({
    statuses: [{ uri: searched, content: expect.stringContaining('by search') }],
  })
  const queue = fakeQueue()
  await author.send(author.announce(reblogged), { overrides: { jobs: queue.ctx.jobs } })
  await author.send(author.create(author.note({ inReplyTo: answered ?? '' })), {
    overrides: { jobs: queue.ctx.jobs },
  })
  await settleLateWork()
  await queue.work()
  expect(await known(reblogged ?? '')).toBe(1)
  expect(await known(answered ?? '')).toBe(1)
})

it('keeps a status that is marked between check and deletion, and two runs at once count each status once', async () => {
  await forget()
  const person = await given.account()
  const made = await agedStatuses(20, 300)
  const [first] = made
  if (first === undefined) throw new Error('none')
  let isMarked = false
  const racing = new Proxy(env.DB, {
    get(target, key) {
      if (key !== 'batch') {
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (statements: D1PreparedStatement[]) => {
        if (statements.length > 6 && !isMarked) {
          isMarked = true
          await givenReason.favourited({ person, status: first })
        }
        return target.batch(statements)
      }
    },
  })
  await pruneDatabase(context({ db: openDb(racing) }), noRoom)
  expect(isMarked).toBe(true)
  const ids = made.map(({ id }) => id)
  expect(await storedAmong(ids)).toHaveLength(20)
  await Promise.all([pruneDatabase(context(), noRoom), pruneDatabase(context(), noRoom)])
  expect(await storedAmong(ids)).toEqual([first.id])
  expect(await state()).toMatchObject({ total: { statuses: 19 } })
})

it('does not overwrite counts of another run with older ones', async () => {
  await forget()
  await agedStatuses(5, 300)
  let batches = 0
  const racing = new Proxy(env.DB, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'batch') return typeof value === 'function' ? value.bind(target) : value
      return async (statements: D1PreparedStatement[]) => {
        batches += 1
        if (batches === 2) await pruneDatabase(context(), noRoom)
        return target.batch(statements)
      }
    },
  })
  await pruneDatabase(context({ db: openDb(racing) }), { bytes: 1e12 })
  expect(batches).toBe(2)
  expect(await state()).toMatchObject({ outcome: 'pruning', total: { statuses: 5 } })
})

it('scans no table, and runs at most sixteen statements', async () => {
  await forget()
  const person = await given.account()
  const kept = await agedStatus(400)
  await givenReason.announced({ person, status: kept })
  await agedStatuses(40, 300)
  const { db, asked } = recordingDb()
  await pruneDatabase(context({ db }), noRoom)
  const scans: string[] = []
  for (const one of asked)
    for (const table of await scannedTables(one)) scans.push(`${table}: ${one.text.slice(0, 200)}`)
  // Small tables that have no status by an index: announcements, and what is scheduled.
  expect(new Set(scans.map((scan) => scan.split(':')[0]))).toEqual(
    new Set(['announcements', 'scheduled_statuses', 'part', 'gone', 'written']),
  )
  await forget()
  await agedStatuses(40, 300)
  const counted = countingDb(env.DB)
  await pruneDatabase(context({ db: openDb(counted.db) }), noRoom)
  expect(counted.read().statements).toBeLessThanOrEqual(16)
})
