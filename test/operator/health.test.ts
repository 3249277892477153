import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskRuns } from '../../src/db/schema'
import { findProblems } from '../../src/domain/health/health'
import { recordCronRun } from '../../src/domain/health/task-runs'
import { blockedNetworksKey } from '../../src/domain/sign-up-blocks/ip-blocks'
import { ExpiringCache } from '../../src/lib/expiring-cache'
import type { Ctx, MemoryCache } from '../../src/ports/ctx'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { fullDatabase } from '../support/full-database'
import { given } from '../support/given'
import { givenOwner, givenStaff } from '../support/given-staff'
import { clock, context, useBinding } from '../support/test-app'

/** The memory of a new isolate that has read its list of blocked networks, which no path goes without. */
function freshMemory(): MemoryCache {
  const kept = new ExpiringCache(100)
  kept.remember(blockedNetworksKey, { value: '', seconds: 86_400 }, clock.now())
  return {
    get: (key) => kept.recall(key, clock.now()),
    set: (key, value, seconds) => kept.remember(key, { value, seconds }, clock.now()),
    increment: (key, seconds) => kept.count(key, seconds, clock.now()),
    currentCount: (key) => kept.counted(key, clock.now()),
    delete: (key) => kept.forget(key),
  }
}

function withBatch(batch: () => Promise<unknown>): Pick<Ctx, 'db' | 'log' | 'memory'> {
  const db = new Proxy(context().db, {
    get: (target, key) => (key === 'batch' ? batch : Reflect.get(target, key)),
  })
  const log = { info: () => undefined, error: () => undefined }
  return { db, log, memory: freshMemory() }
}

beforeEach(() => recordCronRun(context()))

it('GET /health answers OK [T-765]', async () => {
  const page = await new Browser({ memory: freshMemory() }).get('/health')
  expect([page.status, page.html]).toEqual([200, 'OK'])
  expect(page.headers.get('cache-control')).toBe('no-store')
  expectCosts(page.costs, { trips: 1, statements: 2, rowsRead: 8 })
})

describe('GET /health', () => {
  it('asks the database no more than once in five seconds, however often it is asked', async () => {
    const browser = new Browser({ memory: freshMemory() })
    await browser.get('/health')
    expect((await browser.get('/health')).costs.trips).toBe(0)
    clock.advance(5_001)
    expect((await browser.get('/health')).costs.trips).toBe(1)
  })

  it('answers 503 while the database fails, and OK a second after it is back', async () => {
    const broken = withBatch(() => Promise.reject(new Error('secret detail')))
    const down = await new Browser(broken).get('/health')
    expect([down.status, JSON.parse(down.html)]).toEqual([503, { status: 'failing', causes: ['database'] }])
    clock.advance(1_001)
    const up = await new Browser({ memory: broken.memory }).get('/health')
    expect([up.status, up.html]).toEqual([200, 'OK'])
  })

  it('waits for a database that hangs no longer than its patience', async () => {
    const hanging = withBatch(() => new Promise(() => undefined))
    expect(await findProblems(context(hanging), 1)).toEqual(['database'])
  })

  it('passes no flood gate: a monitor is never too fast', async () => {
    const throttle = { ...context().throttle, admits: async () => false }
    expect((await new Browser({ throttle }).get('/health')).status).toBe(200)
  })
})

const minute = 60_000
const metricsToken = 'a token for the monitor'
const withToken = { config: { ...context().config, metricsToken } }

async function ask(headers: Readonly<Record<string, string>> = {}, overrides: object = {}) {
  const page = await new Browser({ memory: freshMemory(), ...overrides }).get('/health', { headers })
  return {
    status: page.status,
    costs: page.costs,
    body: page.html.startsWith('{') ? JSON.parse(page.html) : page.html,
  }
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` })

/** An entry of the outbox that is due at `dueAt`. */
async function givenEntry(dueAt: Date) {
  const { db, ids } = context()
  const id = ids.next()
  await db.run(sql`insert into outbox (id, event, not_before)
    values (${id}, '{"kind":"delete-files","keys":[]}', ${dueAt.getTime()})`)
  return { remove: () => db.run(sql`delete from outbox where id = ${id}`) }
}

describe('problems that GET /health names', () => {
  it('GET /health names the cron when it has not run for a quarter of an hour, until it runs again', async () => {
    clock.advance(15 * minute)
    expect((await ask()).status).toBe(200)
    clock.advance(1)
    expect(await ask()).toMatchObject({ status: 503, body: { status: 'failing', causes: ['cron'] } })
    await recordCronRun(context())
    expect(await ask()).toMatchObject({ status: 200, body: 'OK' })
  })

  it('GET /health names the cron of a server that never had one, a quarter of an hour after its first account', async () => {
    await given.account()
    const { db } = context()
    await db.delete(taskRuns)
    expect((await ask()).status).toBe(200)
    clock.advance(30 * minute)
    expect((await ask()).body).toEqual({ status: 'failing', causes: ['cron'] })
  })

  it('GET /health names an outbox that nobody sweeps, and not an entry that waits for its next attempt', async () => {
    const waiting = await givenEntry(new Date(clock.now().getTime() + minute))
    expect((await ask()).status).toBe(200)
    await waiting.remove()
    const overdue = await givenEntry(new Date(clock.now().getTime() - 16 * minute))
    expect(await ask()).toMatchObject({ status: 503, body: { causes: ['outbox'] } })
    await overdue.remove()
  })

  it('GET /health answers in JSON where that is asked for, also when all is well', async () => {
    expect((await ask({ accept: 'application/json' })).body).toEqual({ status: 'OK', causes: [] })
  })
})

describe('the figures of GET /health', () => {
  it('the figures of GET /health are shown for the token of the monitor, in one round trip', async () => {
    const entry = await givenEntry(clock.now())
    clock.advance(2 * minute)
    const jobBacklog = async () => ({ count: 7, oldestAt: new Date(clock.now().getTime() - minute) })
    const answer = await ask(authorized(metricsToken), { ...withToken, jobBacklog })
    expect(answer.body).toMatchObject({
      status: 'OK',
      missing: [],
      outbox: { waiting: 1, oldest_age_seconds: 120 },
      jobs: { waiting: 7, oldest_age_seconds: 60 },
      cron: { age_seconds: 120, failing_tasks: [] },
    })
    expectCosts(answer.costs, { trips: 1, statements: 2, rowsRead: 9 })
    await entry.remove()
  })

  it('the figures of GET /health name the services that the account lacks', async () => {
    const config = { ...withToken.config, missingServices: ['queues'] as const }
    expect((await ask(authorized(metricsToken), { config })).body).toMatchObject({ missing: ['queues'] })
  })

  it('the figures of GET /health are shown for an owner, in one round trip', async () => {
    const owner = await givenOwner()
    const answer = await ask(authorized(owner.token))
    expect(answer.body).toMatchObject({ status: 'OK', outbox: { waiting: 0 } })
    expect(answer.costs.trips).toBe(1)
  })

  it('the figures of GET /health are hidden from every other token: apps send theirs with each request', async () => {
    const [member, narrow, helper] = [
      await given.account(),
      await givenStaff({ permissions: ['viewDevops'], scopes: 'read' }),
      await givenStaff({ permissions: ['manageReports'] }),
    ]
    const anonymous = await ask()
    for (const { token } of [member, narrow, helper]) {
      const { status, body } = await ask(authorized(token))
      expect([status, body]).toEqual([200, anonymous.body])
    }
    expect((await ask(authorized('none'))).status).toBe(404)
    expect((await ask(authorized('none'), withToken)).status).toBe(401)
    expect((await ask(authorized(metricsToken.slice(2)), withToken)).status).toBe(401)
  })

  it('the figures of GET /health cost an unknown token no rows, and the second time no round trip', async () => {
    const memory = freshMemory()
    const first = await ask(authorized('made up'), { memory })
    expect(first.costs.rowsRead).toBeLessThanOrEqual(1)
    expect((await ask(authorized('made up'), { memory })).costs.trips).toBe(0)
  })

  it('reports null for a queue that cannot be read', async () => {
    const jobBacklog = async () => null
    expect((await ask(authorized(metricsToken), { ...withToken, jobBacklog })).body.jobs).toBeNull()
  })
})

it('GET /health/live answers OK without the database, whatever is wrong with it', async () => {
  const hanging = withBatch(() => new Promise(() => undefined))
  // A new isolate knows no list of blocked networks.
  const memory = { ...freshMemory(), get: () => null }
  const page = await new Browser({ ...hanging, memory }).get('/health/live')
  expect([page.status, page.html, page.headers.get('cache-control')]).toEqual([200, 'OK', 'no-store'])
  expect((await new Browser({ memory }).get('/health/live')).costs.trips).toBe(0)
})

describe('GET /health on a database that refuses writes', () => {
  const failing = { status: 'failing', causes: ['database'] }
  afterEach(() => useBinding(null))

  it('answers 503 for a minute after a refused write, and OK once a write has succeeded', async () => {
    const memory = freshMemory()
    const [alice, browser] = [await given.account(), new Browser({ memory })]
    expect((await browser.get('/health')).status).toBe(200)
    const full = fullDatabase(env.DB)
    useBinding(full.binding)
    const post = await as(alice).post('/api/v1/statuses', { status: 'lost' }, { overrides: { memory } })
    expect(post.status).toBe(500)
    const down = await browser.get('/health')
    expect([down.status, JSON.parse(down.html), down.costs.trips]).toEqual([503, failing, 0])
    // Asks by a write of its own, however recent the last record of the cron is.
    clock.advance(minute)
    expect((await browser.get('/health')).status).toBe(503)
    full.free()
    clock.advance(minute)
    expect((await browser.get('/health')).status).toBe(200)
  })

  it('answers 503 where nobody writes, and shows a monitor no other cause', async () => {
    clock.advance(5 * minute)
    useBinding(fullDatabase(env.DB).binding)
    expect(await ask()).toMatchObject({ status: 503, body: failing })
    expect(await ask(authorized(metricsToken), withToken)).toMatchObject({ status: 503, body: failing })
  })

  it('does not take a write that broke a rule for a refusal', async () => {
    const memory = freshMemory()
    const { db } = context({ memory })
    await expect(db.run(sql`insert into task_runs (task) values (null)`)).rejects.toThrow()
    await expect(db.run(sql`insert into no_such_table values (1)`)).rejects.toThrow()
    expect((await new Browser({ memory }).get('/health')).status).toBe(200)
  })

  it('writes one row in five minutes for all who ask while nobody else writes', async () => {
    clock.advance(5 * minute)
    const asked = []
    for (let isolates = 0; isolates < 10; isolates += 1) {
      asked.push((await ask()).costs.rowsWritten)
      clock.advance(minute - 1)
    }
    // The first row of all is written to the index of its table as well.
    expect(asked.map((rows) => rows > 0)).toEqual([true, ...quiet(5), true, ...quiet(3)])
  })

  it('writes nothing while the cron records its runs', async () => {
    expect((await ask()).costs.rowsWritten).toBe(0)
  })
})

const quiet = (times: number) => Array.from({ length: times }, () => false)
