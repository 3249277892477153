import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { statementsPerTick, type Task } from '../../src/cron/schedule'
import { execute, openDb } from '../../src/db/query'
import {
  authorizationCodes,
  encryptedMessages,
  fullHomeFeeds,
  homeEntries,
  idempotencyKeys,
  mediaAttachments,
  mutes,
  sessions,
  userTokens,
} from '../../src/db/schema'
import { loadHealth } from '../../src/domain/health/health'
import { pruneUnattachedMedia } from '../../src/domain/media/expire'
import { loadCounters } from '../../src/domain/metrics/counters'
import { feedLength, trimHomes } from '../../src/domain/timelines/trim'
import type { Job } from '../../src/messages/jobs'
import { tasks } from '../../src/tasks'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { fakeQueue } from '../support/fake-queue'
import { given } from '../support/given'
import { encryptedMessageTo, givenDevice } from '../support/given-device'
import { runJob } from '../support/run-job'
import { continueTask, runDueTasks, runTasks } from '../support/run-tasks'
import { clock, context, settleLateWork } from '../support/test-app'

const hour = 60 * 60_000
const day = 24 * hour

const start = clock.now()
// The clock is shared with the files that run after this one.
afterAll(() => clock.set(start))

/** Moves the clock on and lets happen what is due at that hour. */
async function pass(milliseconds: number): Promise<void> {
  const later = clock.now().getTime() + milliseconds
  clock.set(new Date(Math.ceil(later / hour) * hour))
  await runEveryTask()
}

/** Runs all tasks that are due, whatever the minute, and what of them is queued. */
async function runEveryTask(): Promise<void> {
  const queue = fakeQueue()
  await runTasks(queue.ctx, tasks)
  await queue.work()
  await settleLateWork()
}

const figures = () => execute(context().db, loadCounters(context()))

describe('count-active-users', () => {
  it('counts active users of 30 and of 180 days, and removes them as time passes', async () => {
    await pass(0)
    const before = await figures()
    await given.account({ user: { lastActiveAt: clock.now() } })
    await given.account({ user: { lastActiveAt: new Date(clock.now().getTime() - 29 * day) } })
    await given.account({ user: { lastActiveAt: new Date(clock.now().getTime() - 179 * day) } })
    await given.account({ user: { lastActiveAt: null } })
    await pass(0)
    const now = await figures()
    expect(now.active_month - before.active_month).toBe(2)
    expect(now.active_halfyear - before.active_halfyear).toBe(3)
    await pass(2 * day)
    const later = await figures()
    expect(later.active_month).toBe(now.active_month - 1)
    expect(later.active_halfyear).toBe(now.active_halfyear - 1)
    await pass(180 * day)
    expect(await figures()).toMatchObject({ active_month: 0, active_halfyear: 0 })
  })

  it('counts a user at the first visit and at each return, once', async () => {
    await pass(0)
    const before = await figures()
    const ago = (days: number) => new Date(clock.now().getTime() - days * day)
    for (const lastActiveAt of [null, ago(31), ago(181), ago(2)]) {
      const user = await given.account({ user: { lastActiveAt } })
      for (let turn = 0; turn < 2; turn += 1) await as(user).get('/api/v1/accounts/verify_credentials')
      await settleLateWork()
    }
    const now = await figures()
    expect(now.active_month - before.active_month).toBe(3)
    expect(now.active_halfyear - before.active_halfyear).toBe(2)
    await pass(0)
    const recounted = await figures()
    expect(recounted.active_month - before.active_month).toBe(4)
    expect(recounted.active_halfyear - before.active_halfyear).toBe(4)
  })

  it('reads the index on activity only', async () => {
    const plan = await context().db.all<{ detail: string }>(
      sql`explain query plan select count(*) from users where last_active_at > ${1}`,
    )
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH users USING COVERING INDEX users_active (last_active_at>?)',
    ])
  })
})

describe('trim-homes', () => {
  async function fill(accountId: number, entries: number): Promise<void> {
    const { db } = context()
    await db.run(sql`insert into home_entries (account_id, status_id)
      select ${accountId}, value from json_each(${JSON.stringify(Array.from({ length: entries }, (_, i) => i + 1))})`)
    await given.status({ by: await given.account() })
  }
  const feed = (accountId: number) =>
    context()
      .db.select({ id: homeEntries.statusId })
      .from(homeEntries)
      .where(eq(homeEntries.accountId, accountId))
      .orderBy(homeEntries.statusId)

  it('keeps the newest 400 entries of each feed and leaves shorter ones unchanged', async () => {
    const [long, full, short] = [await given.account(), await given.account(), await given.account()]
    await fill(long.id, feedLength + 25)
    await fill(full.id, feedLength)
    await fill(short.id, 3)
    await pass(hour)
    const kept = await feed(long.id)
    expect(kept).toHaveLength(400)
    expect(kept[0]).toEqual({ id: 26 })
    expect(await feed(full.id)).toHaveLength(400)
    expect(await feed(short.id)).toHaveLength(3)
  })

  it('does a bounded amount of work per run, and reaches every feed in turn', async () => {
    const people: { readonly id: number }[] = []
    for (let index = 0; index < 23; index += 1) {
      const person = await given.account()
      await fill(person.id, feedLength + 5)
      people.push(person)
    }
    const before = await context().db.$count(homeEntries)
    const fullBefore = await context().db.$count(fullHomeFeeds)
    const counted = countingDb(env.DB)
    await trimHomes(context({ db: openDb(counted.db) }))
    const removed = before - (await context().db.$count(homeEntries))
    expect(counted.read().trips).toBeLessThanOrEqual(2)
    // Three read, and one each deletes, notes full feeds and stores the place, however many feeds are long.
    expect(counted.read().statements).toBe(6)
    expect(counted.read().rowsRead).toBeLessThan(10 * 450)
    const full = (await context().db.$count(fullHomeFeeds)) - fullBefore
    // As many rows as entries, one for the place, and one for each feed that is full from now on.
    expect(removed).toBe(full * 5)
    expect(full).toBeGreaterThan(0)
    expect(counted.read().rowsWritten).toBe(removed + full + 1)
    await pass(hour)
    for (const { id } of people) expect(await feed(id)).toHaveLength(400)
  })

  const enter = (accountId: number, ...ids: readonly number[]) =>
    env.DB.prepare(
      'insert into home_entries (account_id, status_id) select ?, value from json_each(?) where true on conflict do nothing',
    )
      .bind(accountId, JSON.stringify(ids))
      .run()
  const ends = async (accountId: number) => {
    const ids = (await feed(accountId)).map(({ id }) => id)
    return { length: ids.length, oldest: ids[0], newest: ids.at(-1) }
  }

  it('reuses the oldest entry of a full feed for the new one, at one written row', async () => {
    const [full, other] = [await given.account(), await given.account()]
    await fill(full.id, feedLength + 1)
    await fill(other.id, feedLength - 1)
    await pass(hour)
    expect(await ends(full.id)).toEqual({ length: 400, oldest: 2, newest: 401 })
    // As scripts/bench/day counts an entry that leaves a full feed: nothing is trimmed afterwards.
    const { rows_read, rows_written } = (await enter(full.id, 501)).meta
    expect({ rows_read, rows_written }).toEqual({ rows_read: 6, rows_written: 1 })
    expect((await enter(full.id, 502, 503, 501)).meta.rows_written).toBe(2)
    expect(await ends(full.id)).toEqual({ length: 400, oldest: 5, newest: 503 })
    // No status enters twice, and none that is older than all of them.
    expect((await enter(full.id, 4, 400, 503)).meta.rows_written).toBe(0)
    expect(await ends(full.id)).toEqual({ length: 400, oldest: 5, newest: 503 })
    await enter(full.id, 450)
    expect(await ends(full.id)).toEqual({ length: 400, oldest: 6, newest: 503 })
    await enter(other.id, 501)
    expect(await ends(other.id)).toEqual({ length: 400, oldest: 1, newest: 501 })
  })

  it('lets a feed that lost entries grow again', async () => {
    const person = await given.account()
    await fill(person.id, feedLength + 1)
    await pass(hour)
    await env.DB.prepare('delete from home_entries where account_id = ? and status_id in (100, 101)')
      .bind(person.id)
      .run()
    await enter(person.id, 501, 502, 503)
    expect(await ends(person.id)).toEqual({ length: 401, oldest: 2, newest: 503 })
    await given.status({ by: await given.account() })
    await pass(hour)
    expect(await ends(person.id)).toEqual({ length: 400, oldest: 3, newest: 503 })
    await enter(person.id, 504)
    expect(await ends(person.id)).toEqual({ length: 400, oldest: 4, newest: 504 })
  })
})

describe('expire-mutes', () => {
  it('removes a mute when it expires, not before, and never one without an end', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { db, ids } = context()
    const row = { accountId: alice.id, createdAt: clock.now() }
    await db.insert(mutes).values([
      {
        ...row,
        id: ids.next(),
        targetAccountId: bob.id,
        expiresAt: new Date(clock.now().getTime() + 5 * hour),
      },
      { ...row, id: ids.next(), targetAccountId: carol.id },
    ])
    const left = () => db.$count(mutes, eq(mutes.accountId, alice.id))
    await pass(hour)
    expect(await left()).toBe(2)
    await pass(5 * hour)
    expect(await left()).toBe(1)
  })
})

describe('prune-encrypted-messages', () => {
  it('deletes messages that no device fetched for a month', async () => {
    const device = await givenDevice()
    const send = () =>
      as(device.token).post('/api/v1/crypto/deliveries', { device: [encryptedMessageTo(device)] })
    const left = () =>
      context().db.$count(encryptedMessages, eq(encryptedMessages.fromAccountId, device.owner.id))
    await send()
    await pass(29 * day)
    expect((await send()).status).toBe(200)
    expect(await left()).toBe(2)
    await pass(2 * day)
    expect(await left()).toBe(1)
  })
})

describe('prune-expired', () => {
  it('deletes expired sessions, codes and mailed secrets, and idempotency keys after an hour', async () => {
    const alice = await given.account()
    const app = await given.application()
    const { db, ids } = context()
    const expiresAt = new Date(clock.now().getTime() + 3 * hour)
    const mine = { accountId: alice.id, expiresAt }
    await db.insert(sessions).values({
      ...mine,
      id: ids.next(),
      tokenHash: `session ${alice.id}`,
      createdAt: clock.now(),
      lastSeenAt: clock.now(),
    })
    await db.insert(userTokens).values({ ...mine, tokenHash: `mailed ${alice.id}`, purpose: 'reset' })
    await db.insert(authorizationCodes).values({
      ...mine,
      codeHash: `code ${alice.id}`,
      applicationId: app.id,
      redirectUri: 'https://app.test',
      scopes: 'read',
    })
    await db
      .insert(idempotencyKeys)
      .values({ accountId: alice.id, key: 'k', statusId: 1, createdAt: clock.now() })
    const left = async () => ({
      sessions: await db.$count(sessions, eq(sessions.accountId, alice.id)),
      secrets: await db.$count(userTokens, eq(userTokens.accountId, alice.id)),
      codes: await db.$count(authorizationCodes, eq(authorizationCodes.accountId, alice.id)),
      keys: await db.$count(idempotencyKeys, eq(idempotencyKeys.accountId, alice.id)),
    })
    await runEveryTask()
    expect(await left()).toEqual({ sessions: 1, secrets: 1, codes: 1, keys: 1 })
    await pass(hour)
    expect(await left()).toEqual({ sessions: 1, secrets: 1, codes: 1, keys: 0 })
    await pass(3 * hour)
    expect(await left()).toEqual({ sessions: 0, secrets: 0, codes: 0, keys: 0 })
  })
})

describe('prune-unattached-media', () => {
  it('deletes uploads unattached for a day, with their files, and no others', async () => {
    const alice = await given.account()
    const { db, ids, files } = context()
    const bytes = new Uint8Array([1])
    const made = async (statusId: number | null) => {
      const id = ids.next()
      const row = { fileKey: `attachments/${id}/a.png`, previewKey: `attachments/${id}/b.png` }
      await files.put(row.fileKey, bytes, 'image/png')
      await files.put(row.previewKey, bytes, 'image/png')
      await db.insert(mediaAttachments).values({
        ...row,
        id,
        accountId: alice.id,
        statusId,
        type: 'image',
        mime: 'image/png',
        sizeBytes: 1,
        createdAt: clock.now(),
      })
      return { id, ...row }
    }
    const loose = await made(null)
    const posted = await made(1)
    await pass(22 * hour)
    const fresh = await made(null)
    const left = async () =>
      (
        await db
          .select({ id: mediaAttachments.id })
          .from(mediaAttachments)
          .where(eq(mediaAttachments.accountId, alice.id))
          .orderBy(mediaAttachments.id)
      ).map(({ id }) => id)
    expect(await left()).toEqual([loose.id, posted.id, fresh.id])
    await pass(3 * hour)
    expect(await left()).toEqual([posted.id, fresh.id])
    for (const key of [loose.fileKey, loose.previewKey]) expect(await files.head(key)).toBeNull()
    for (const key of [posted.fileKey, fresh.previewKey]) expect(await files.head(key)).not.toBeNull()
  })

  it('keeps an upload that is attached at the same moment', async () => {
    const alice = await given.account()
    const { db, ids, files } = context()
    const id = ids.next()
    const fileKey = `attachments/${id}/a.png`
    await files.put(fileKey, new Uint8Array([1]), 'image/png')
    await db.insert(mediaAttachments).values({
      id,
      accountId: alice.id,
      statusId: null,
      type: 'image',
      mime: 'image/png',
      fileKey,
      sizeBytes: 1,
      createdAt: new Date(clock.now().getTime() - 2 * day),
    })
    let trips = 0
    const racing = new Proxy(env.DB, {
      get: (target, name) => {
        if (name === 'prepare') return (text: string) => target.prepare(text)
        if (name !== 'batch') return Reflect.get(target, name)
        return async (statements: D1PreparedStatement[]) => {
          trips += 1
          if (trips === 2)
            await db.update(mediaAttachments).set({ statusId: 1 }).where(eq(mediaAttachments.id, id))
          return target.batch(statements)
        }
      },
    })
    await expect(pruneUnattachedMedia(context({ db: openDb(racing) }))).rejects.toThrow('just posted')
    await settleLateWork()
    expect(await db.$count(mediaAttachments, eq(mediaAttachments.id, id))).toBe(1)
    expect(await files.head(fileKey)).not.toBeNull()
  })
})

describe('the schedule', () => {
  const minutes = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => new Date(Date.UTC(2026, 10, 1, 12, from + at)))

  function ticking() {
    const ran: string[] = []
    const task = (name: string, change: Partial<Task> = {}): Task => ({
      name,
      everyMinutes: 1,
      statements: 1,
      run: async () => void ran.push(name),
      ...change,
    })
    return { ran, task }
  }

  it('runs each task in its minutes, and spreads those of one interval', async () => {
    const { ran, task } = ticking()
    const list = [task('each'), task('fifth', { everyMinutes: 5 }), task('other', { everyMinutes: 5 })]
    for (const at of minutes(0, 10)) await runDueTasks(context(), list, at)
    expect(ran.filter((name) => name === 'each')).toHaveLength(10)
    expect(ran.filter((name) => name !== 'each')).toEqual(['other', 'fifth', 'other', 'fifth'])
  })

  it('runs the other tasks where one fails', async () => {
    const { ran, task } = ticking()
    const failures: string[] = []
    const log = { info: () => undefined, error: (message: string) => void failures.push(message) }
    const broken = task('broken', { run: () => Promise.reject(new Error('broken')) })
    await runTasks(context({ log }), [broken, task('sound')])
    expect(ran).toEqual(['sound'])
    expect(failures).toEqual(['A periodic task failed'])
  })

  it('records since when a task fails, until it runs again, also in the queue', async () => {
    const { task } = ticking()
    const ctx = context({
      jobs: { send: async () => undefined },
      log: { info: () => undefined, error: () => undefined },
    })
    let isBroken = true
    const run = () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve())
    const broken = task('sick', { isDue: () => sql`1 = 1`, run })
    const failing = async () => (await execute(ctx.db, loadHealth(ctx))).failingTasks
    const names = async () => (await failing()).map(({ task: name }) => name)
    const since = clock.now()
    await runTasks(ctx, [broken])
    clock.advance(60_000)
    await runTasks(ctx, [broken, task('sound')])
    expect(await failing()).toContainEqual({ task: 'sick', since, failures: 2 })
    isBroken = false
    await runTasks(ctx, [broken])
    expect(await names()).not.toContain('sick')
    isBroken = true
    await runTasks(ctx, [broken])
    isBroken = false
    await continueTask(ctx, [broken], { task: 'sick', partsLeft: 2 })
    expect(await names()).not.toContain('sick')
  })

  it('resets the failures of a task without a condition that runs in the queue', async () => {
    const { task } = ticking()
    const ctx = context({ log: { info: () => undefined, error: () => undefined } })
    const failing = async () =>
      (await execute(ctx.db, loadHealth(ctx))).failingTasks.map(({ task: name }) => name)
    await runTasks(ctx, [task('ailing', { run: () => Promise.reject(new Error('broken')) })])
    expect(await failing()).toContain('ailing')
    await continueTask(ctx, [task('ailing')], { task: 'ailing', partsLeft: 60 })
    expect(await failing()).not.toContain('ailing')
  })

  it('finds due tasks by one statement, and runs nothing else', async () => {
    const { ran, task } = ticking()
    const counted = countingDb(env.DB)
    const list = [task('due', { isDue: () => sql`1 = 1` }), task('idle', { isDue: () => sql`1 = 2` })]
    await runTasks(context({ db: openDb(counted.db), jobs: { send: async () => undefined } }), list)
    expect(ran).toEqual(['due'])
    // Before and after: what is still due is queued.
    expect(counted.read()).toMatchObject({ trips: 2, statements: 2 })
    await runTasks(context({ db: openDb(counted.db) }), [task('idle', { isDue: () => sql`1 = 2` })])
    expect(counted.read()).toMatchObject({ trips: 3, statements: 3 })
  })

  it('does not repeat a task that only queues jobs', async () => {
    const { ran, task } = ticking()
    const queue = fakeQueue()
    const resuming = task('resuming', { isDue: () => sql`1 = 1`, onlyQueues: true })
    await runTasks(queue.ctx, [resuming])
    await continueTask(queue.ctx, [resuming], { task: 'resuming', partsLeft: 60 })
    expect(ran).toEqual(['resuming', 'resuming'])
    expect(queue.jobs).toEqual([])
  })

  it('queues tasks beyond the statements of a tick, the rarest tasks first', async () => {
    const { ran, task } = ticking()
    const queue = fakeQueue()
    const half = { statements: (statementsPerTick - 2) / 2 }
    const hourly = task('hourly', { ...half, everyMinutes: 60 })
    await runTasks(queue.ctx, [task('first', half), task('second', half), hourly])
    expect(ran).toEqual(['hourly', 'first'])
    expect(queue.jobs).toMatchObject([{ kind: 'run-task', task: 'second' }])
  })

  it('continues in the queue while there is work, in parts, and starts again after sixty', async () => {
    const { task } = ticking()
    let left = 100
    const long = task('long', {
      isDue: () => sql`${left} > 0`,
      run: async () => {
        left -= 1
      },
    })
    const jobs: Job[] = []
    const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
    await runTasks(ctx, [long])
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop())
      if (job.kind === 'run-task') expect(await continueTask(ctx, [long], job)).toBe(true)
    expect(left).toBe(39)
  })

  it('ignores a queued task of another release', async () => {
    const outcome = await runJob(context(), { kind: 'run-task', task: 'gone', partsLeft: 1 })
    expect(outcome.kind).toBe('ignored')
  })
})
