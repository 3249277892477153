import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { noUsage } from '../../../src/contract/usage'
import { execute, openDb } from '../../../src/db/query'
import { alerts, backups, deadLetters, failingHosts, taskRuns } from '../../../src/db/schema'
import { noteRefusedWrite } from '../../../src/domain/health/health'
import { recordCronRun } from '../../../src/domain/health/task-runs'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { type Alert, loadCauses, planAlerts, sentenceOf } from '../../../src/domain/webhooks/alerts/causes'
import { checkAlerts } from '../../../src/domain/webhooks/alerts/check'
import { hubSignature } from '../../../src/domain/webhooks/post'
import { ExpiringCache } from '../../../src/lib/expiring-cache'
import { memoryIn } from '../../../src/wire'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { inEnglish } from '../../support/english'
import { fakeMailer } from '../../support/fake-mailer'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { fullDatabase } from '../../support/full-database'
import { given } from '../../support/given'
import { givenOwner, givenStaff } from '../../support/given-staff'
import { clock, context, useBinding } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/alerts'
const { network } = fediverse
const { db } = context()
const hour = 3_600_000
const day = 24 * hour

let made = 0

/** Memory of a new isolate. */
const memoryOfIsolate = () => memoryIn(new ExpiringCache(100), () => clock.now())

/** A receiver of alerts at an address of its own, and the mails to owners. */
async function scene({ alertsEmail = false, memory = memoryOfIsolate() } = {}) {
  made += 1
  const url = `https://alerts${made}.test/hook`
  network.respond(url, () => new Response(null, { status: 204 }))
  const mailer = fakeMailer()
  const { ctx, jobs, work } = fakeQueue({ ...mailer.overrides, memory })
  await Promise.all([alerts, deadLetters, failingHosts, taskRuns].map((table) => db.delete(table)))
  await saveSettings(ctx, operator, { alertsWebhook: url, alertsEmail })
  const Sent = z.object({
    event: z.string(),
    server: z.string(),
    object: z.object({ cause: z.string(), state: z.string(), figure: z.number(), text: z.string() }),
  })
  return {
    url,
    ctx,
    jobs,
    work,
    mailer,
    check: async () => {
      await checkAlerts(ctx)
      return work()
    },
    sent: () => network.requests(url, 'POST').map(({ body }) => Sent.parse(JSON.parse(body)).object),
  }
}

const givenLetter = (kind = 'send-push') => {
  const id = context().ids.next()
  return db.insert(deadLetters).values({ id, messageId: String(id), kind, message: {} })
}

describe('alerts', () => {
  it('alerts are sent when a cause appears, once a day while it lasts, and when it ends', async () => {
    const { check, sent, url } = await scene()
    await check()
    expect(sent()).toEqual([])
    await givenLetter()
    await check()
    expect(sent()).toMatchObject([{ cause: 'dead-letters', state: 'firing', figure: 1 }])
    clock.advance(12 * hour)
    await givenLetter()
    await check()
    expect(sent()).toHaveLength(1)
    clock.advance(12 * hour + 1)
    await check()
    expect(sent().map(({ state, figure }) => [state, figure])).toEqual([
      ['firing', 1],
      ['firing', 1],
    ])
    clock.advance(day)
    await check()
    expect(sent().at(-1)).toMatchObject({ state: 'resolved' })
    await check()
    expect(sent()).toHaveLength(3)
    const owner = await givenOwner()
    const secret = z.object({ secret: z.string() }).parse((await as(owner).get(`${path}/secret`)).body).secret
    const [request] = network.requests(url, 'POST')
    expect(request?.headers.get('x-hub-signature')).toBe(await hubSignature(secret, request?.body ?? ''))
  })

  it('alerts are retried where the address does not answer, and a lost alert causes no other', async () => {
    const { check, sent, url, ctx, jobs, work } = await scene()
    network.fail(url, { status: 503, times: 1 })
    await givenLetter()
    expect(await check()).toEqual(['retry'])
    jobs.push({ kind: 'send-alert', cause: 'dead-letters', isResolved: false, accountId: null })
    expect(await work()).toEqual(['done'])
    expect(sent()).toHaveLength(2)
    await db.delete(deadLetters)
    await givenLetter('send-alert')
    expect([...(await execute(db, loadCauses(ctx))).keys()]).not.toContain('dead-letters')
    await checkAlerts(ctx)
    // Resolved meanwhile: what was ordered before says nothing true any more.
    jobs.splice(0, jobs.length, {
      kind: 'send-alert',
      cause: 'dead-letters',
      isResolved: false,
      accountId: null,
    })
    expect(await work()).toContain('ignored')
    expect(sent()).toHaveLength(2)
  })

  it('alerts are mailed to owners who want mail, and name no person, server or address', async () => {
    await givenOwner()
    await givenStaff({ permissions: ['viewDevops'] })
    const { check, mailer, sent } = await scene({ alertsEmail: true })
    await db.insert(failingHosts).values({
      host: 'somebody-private.test',
      failingSince: new Date(clock.now().getTime() - day),
      failures: 9,
      waiting: 1,
      reportedAt: clock.now(),
    })
    await check()
    const recipients = mailer.sent.map(({ to }) => to)
    expect(recipients.length).toBeGreaterThan(0)
    expect(new Set(recipients).size).toBe(recipients.length)
    expect(mailer.sent[0]?.text).toContain('1 servers have accepted no delivery for a day')
    expect(JSON.stringify([mailer.sent.map(({ subject, text }) => [subject, text]), sent()])).not.toMatch(
      /somebody-private|@|https?:/,
    )
  })

  it('refuses alerts to an address that is not public https', async () => {
    const { ctx } = await scene()
    for (const alertsWebhook of ['http://alerts.test/', 'ftp://alerts.test', 'nowhere'])
      await expect(saveSettings(ctx, operator, { alertsWebhook })).rejects.toThrow()
    for (const alertsWebhook of [
      'https://127.0.0.1/',
      'https://localhost/',
      'https://user:pass@alerts.test/',
    ])
      await expect(saveSettings(ctx, operator, { alertsWebhook })).rejects.toThrow('is no public address')
  })

  it('alerts cost two round trips of at most 500 rows where nothing changed', async () => {
    const { ctx } = await scene()
    await recordCronRun(ctx)
    const counted = countingDb(env.DB)
    await checkAlerts(context({ db: openDb(counted.db), memory: memoryOfIsolate() }))
    expect(counted.read()).toMatchObject({ trips: 2, rowsWritten: 0 })
    expect(counted.read().rowsRead).toBeLessThanOrEqual(500)
  })

  it('alerts are listed and tested by staff', async () => {
    const { ctx, url } = await scene()
    const staff = await givenStaff({ permissions: ['viewDevops'] })
    await givenLetter()
    await checkAlerts(ctx)
    expect((await as(staff).get(path)).body).toMatchObject({
      alerts: [
        {
          cause: 'dead-letters',
          figure: 1,
          resolved_at: null,
          text: expect.stringContaining('npx fieldfare'),
        },
      ],
    })
    const queue = fakeQueue()
    const tested = await as(staff).post(`${path}/test`, {}, { overrides: { jobs: queue.ctx.jobs } })
    expect(tested.body).toEqual({ count: 1, lacks_mail: false })
    await queue.work()
    expect(network.requests(url, 'POST').at(-1)?.body).toContain('This is a test')
  })
})

describe('causes', () => {
  const causes = async () => Object.fromEntries(await execute(db, loadCauses(context())))

  it('a task that failed three times in an hour causes an alert, and one that recovers does not', async () => {
    await scene()
    const [ranAt, since] = [clock.now(), new Date(clock.now().getTime() - hour)]
    await db.insert(taskRuns).values([
      { task: 'prune-database', ranAt, failingSince: since, failures: 3 },
      { task: 'back-up', ranAt, failingSince: since, failures: 2 },
      { task: 'trim-homes', ranAt, failingSince: ranAt, failures: 9 },
    ])
    expect(await causes()).toEqual({ 'task prune-database': 3 })
  })

  it('a quota above 80 % causes an alert', async () => {
    await scene()
    const { config } = context()
    const measured = async (rowsWritten: number) => {
      const dailyLimits = { ...config.dailyLimits, free: { ...config.dailyLimits.free, rowsWritten: 100 } }
      const usage = { ...context().usage, unstored: () => ({ ...noUsage(), rowsWritten }) }
      const found = await execute(db, loadCauses(context({ config: { ...config, dailyLimits }, usage })))
      return found.get('quota rowsWritten') ?? null
    }
    expect(await measured(79)).toBeNull()
    expect(await measured(80)).toBe(80)
  })

  it.each([
    'dead-letters',
    'hosts-failing',
    'quota rowsRead',
    'task back-up',
    'backup',
    'backup-overdue',
    'database',
    'outbox',
  ])('the cause %s has a sentence', (cause) => {
    expect(sentenceOf(inEnglish, { cause, figure: 7 })).toMatch(/npx fieldfare|log/)
  })

  it('causes that return within a day wait for its end, and are then not reported as over', () => {
    const now = new Date('2026-11-23T12:00:00Z')
    const ago = (hours: number) => new Date(now.getTime() - hours * hour)
    const over: Alert = { cause: 'backup', figure: 1, since: ago(5), notifiedAt: ago(5), resolvedAt: ago(2) }
    const back = planAlerts(new Map([['backup', 1]]), [over], now)
    expect(back.sent).toEqual([])
    expect(back.stored).toMatchObject([{ since: now, resolvedAt: null }])
    expect(planAlerts(new Map(), back.stored, now).sent).toEqual([])
    expect(
      planAlerts(new Map([['backup', 1]]), back.stored, new Date(now.getTime() + day)).sent,
    ).toHaveLength(1)
  })
})

it('a test alert says that mail is wanted and that the server sends none', async () => {
  const { ctx } = await scene({ alertsEmail: true })
  await saveSettings(ctx, operator, { alertsWebhook: null })
  const owner = await givenOwner()
  const tested = await as(owner).post(`${path}/test`, {}, { overrides: { mailer: null } })
  expect(tested.body).toEqual({ count: 0, lacks_mail: true })
})

describe('a database that refuses writes', () => {
  afterEach(() => useBinding(null))

  it('causes an alert, which is sent once though it cannot be recorded, and its end', async () => {
    const memory = memoryOfIsolate()
    const { url, sent } = await scene({ memory })
    const full = fullDatabase(env.DB)
    useBinding(full.binding)
    const { ctx, work } = fakeQueue({ memory })
    const check = async () => {
      await checkAlerts(ctx)
      return work()
    }
    await check()
    clock.advance(15 * 60_000)
    await check()
    expect(sent()).toMatchObject([{ cause: 'database', state: 'firing' }])
    full.free()
    clock.advance(15 * 60_000)
    await check()
    expect(sent().map(({ state }) => state)).toEqual(['firing', 'resolved'])
    await check()
    expect(network.requests(url, 'POST')).toHaveLength(2)
  })

  it('causes an alert also after it recovered, as long as /health names it', async () => {
    const memory = memoryOfIsolate()
    const { ctx, check, sent } = await scene({ memory })
    noteRefusedWrite(ctx)
    await check()
    expect(sent()).toMatchObject([{ cause: 'database', state: 'firing' }])
    clock.advance(15 * 60_000)
    await check()
    expect(sent().map(({ state }) => state)).toEqual(['firing', 'resolved'])
  })
})

it('a member without a role sees no alerts', async () => {
  expect((await as(await given.account()).get(path)).status).toBe(403)
})

it('an overdue backup causes an alert, unless backups are switched off', async () => {
  const { ctx } = await scene()
  await given.account()
  const isCause = async () => (await execute(db, loadCauses(ctx))).has('backup-overdue')
  // Twice the seven days of the free plan.
  clock.advance(14 * day)
  expect(await isCause()).toBe(true)
  const at = clock.now()
  const id = ctx.ids.next()
  const position = { phase: 'manifest' } as const
  const backup = { id, name: 'one', schema: '', position, startedAt: at, finishedAt: at }
  await db.insert(backups).values({ ...backup, state: 'complete' })
  expect(await isCause()).toBe(false)
  clock.advance(14 * day - 1)
  expect(await isCause()).toBe(false)
  clock.advance(1)
  const failed = { ...backup, id: ctx.ids.next(), name: 'two', finishedAt: clock.now() }
  await db.insert(backups).values({ ...failed, state: 'failed' })
  expect(await isCause()).toBe(true)
  await saveSettings(ctx, operator, { backups: false })
  expect(await isCause()).toBe(false)
})
