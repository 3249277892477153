import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminReport } from '../../../src/contract/entities/admin/report'
import { queueWebhookDeliveries } from '../../../src/domain/webhooks/deliveries'
import { mostWebhooks } from '../../../src/domain/webhooks/find'
import { consume, type QueuedMessage } from '../../../src/jobs/consumer'
import type { Job } from '../../../src/messages/jobs'
import type { Mail } from '../../../src/ports/mail'
import { tasks } from '../../../src/tasks'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { fakeMailer } from '../../support/fake-mailer'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { givenOwner, givenStaff } from '../../support/given-staff'
import { runJob } from '../../support/run-job'
import { clock, context, settleLateWork } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/webhooks'
const AdminReportEvent = z.object({ event: z.string(), object: AdminReport })
const hookUrl = 'https://receiver.test/hooks/s3cret-path?key=1'

/** Queue, dead letters and mailer of one test; `work` runs the queued jobs as the platform's consumer would. */
function workshop() {
  const jobs: Job[] = []
  /** Messages written to the queue; retries write none. */
  const enqueued: Job[] = []
  let failingAddress: string | null = null
  const dead: unknown[] = []
  const delays: (number | undefined)[] = []
  const mailer = fakeMailer()
  const overrides = {
    mailer: {
      ...mailer.overrides.mailer,
      send: async (mail: Mail) => {
        if (mail.to !== failingAddress) return mailer.overrides.mailer.send(mail)
        failingAddress = null
        throw new Error('The mail service is down')
      },
    },
    jobs: {
      send: async (job: Job) => {
        enqueued.push(job)
        jobs.push(job)
      },
    },
    deadLetters: { send: async (message: unknown) => void dead.push(message) },
  }
  /** Returns the number of messages; those `together` are consumed at the same time, by an invocation each. */
  async function work(order: 'one by one' | 'together' = 'one by one') {
    await settleLateWork()
    for (const job of jobs.filter(({ kind }) => kind === 'run-effects')) await runJob(context(overrides), job)
    const messages = jobs
      .splice(0)
      .filter(({ kind }) => kind === 'deliver-webhook' || kind === 'send-webhook-email')
      .map(
        (body): QueuedMessage => ({
          body,
          ack: () => undefined,
          retry: (options) => {
            delays.push(options?.delaySeconds)
            jobs.push(body)
          },
        }),
      )
    const batches = order === 'together' ? messages.map((message) => [message]) : [messages]
    await Promise.all(batches.map((batch) => consume(context(overrides), batch, runJob)))
    await settleLateWork()
    return messages.length
  }
  const failNextMail = ({ email }: TestAccount) => {
    failingAddress = email
  }
  return { jobs, enqueued, dead, delays, overrides, work, failNextMail, sent: mailer.sent }
}

async function hexHmac(secret: string, body: string) {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(body))).toHex()
}

const received = () => fediverse.network.requests('https://receiver.test/')
const stringIn = (body: unknown, key: string): string => {
  if (typeof body !== 'object' || body === null) throw new Error('No object')
  return String(new Map(Object.entries(body)).get(key))
}

describe('webhooks', () => {
  let owner: TestAccount
  let room: ReturnType<typeof workshop>

  beforeEach(async () => {
    owner = await givenOwner()
    room = workshop()
    fediverse.network.clear()
    fediverse.network.serveHost('receiver.test', () => new Response('ok'))
  })

  afterEach(async () => {
    await given.env.DB.prepare('delete from webhooks').run()
    const listed = await as(owner).get(path)
    expect(listed.body).toEqual([])
  })

  const create = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const answer = await as(owner).post(path, { url: hookUrl, events: ['status.created'], ...fields })
    expect(answer.status).toBe(200)
    return { id: stringIn(answer.body, 'id'), secret: stringIn(answer.body, 'secret') }
  }

  const publish = (by: TestAccount, fields: Readonly<Record<string, unknown>> = {}) =>
    as(by).post('/api/v1/statuses', { status: 'hello', ...fields }, { overrides: room.overrides })

  it('webhooks receive a signed event with the public view of the status', async () => {
    const { secret } = await create()
    const alice = await given.account()
    const posted = await publish(alice)
    await room.work()
    const [request] = received()
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe(hookUrl)
    expect(request?.headers.get('x-hub-signature')).toBe(
      `sha256=${await hexHmac(secret, request?.body ?? '')}`,
    )
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'status.created',
      created_at: clock.now().toISOString(),
      object: { id: stringIn(posted.body, 'id'), content: '<p>hello</p>' },
    })
  })

  it('webhooks receive public reblogs, which are statuses', async () => {
    const alice = await given.account()
    const [open, hidden] = [await publish(alice), await publish(alice, { visibility: 'private' })]
    await create()
    await as(alice).post(
      `/api/v1/statuses/${stringIn(hidden.body, 'id')}/reblog`,
      {},
      { overrides: room.overrides },
    )
    const reblogged = await as(await given.account()).post(
      `/api/v1/statuses/${stringIn(open.body, 'id')}/reblog`,
      {},
      { overrides: room.overrides },
    )
    await room.work()
    expect(received().map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        event: 'status.created',
        object: { id: stringIn(reblogged.body, 'id'), reblog: { id: stringIn(open.body, 'id') } },
      },
    ])
  })

  it('webhooks receive accounts as moderators see them: created, approved, updated', async () => {
    await create({ events: ['account.created', 'account.approved', 'account.updated'] })
    const joined = await as(await given.token({ scopes: 'write' })).post(
      '/api/v1/accounts',
      {
        username: 'newcomer',
        email: 'new@mail.test',
        password: 'a long enough one',
        agreement: true,
        locale: 'en',
      },
      { overrides: { ...room.overrides, mailer: null } },
    )
    expect(joined.status).toBe(200)
    await room.work()
    const events = received().map(({ body }) => JSON.parse(body))
    expect(events.map(({ event }) => event).sort()).toEqual(['account.approved', 'account.created'])
    const created = events.find(({ event }) => event === 'account.created')
    expect(created.object).toMatchObject({ username: 'newcomer', email: 'new@mail.test', confirmed: true })
    await as(stringIn(joined.body, 'access_token')).patch(
      '/api/v1/accounts/update_credentials',
      { display_name: 'Newly come' },
      { overrides: room.overrides },
    )
    await room.work()
    expect(JSON.parse(received()[2]?.body ?? '')).toMatchObject({
      event: 'account.updated',
      object: { account: { display_name: 'Newly come' } },
    })
  })

  it('webhooks receive reports with their public statuses', async () => {
    await create({ events: ['report.created', 'report.updated'] })
    const [alice, bob] = [await given.account(), await given.account()]
    const open = stringIn((await publish(bob)).body, 'id')
    const direct = stringIn(
      (await publish(bob, { visibility: 'direct', status: `@${alice.username} psst` })).body,
      'id',
    )
    const report = await as(alice).post(
      '/api/v1/reports',
      { account_id: bob.id, status_ids: [open, direct], comment: 'look' },
      { overrides: room.overrides },
    )
    const reportId = stringIn(report.body, 'id')
    await room.work()
    await as(owner).post(`/api/v1/admin/reports/${reportId}/resolve`, {}, { overrides: room.overrides })
    await room.work()
    const events = received().map(({ body }) => AdminReportEvent.parse(JSON.parse(body)))
    expect(events.map(({ event }) => event)).toEqual(['report.created', 'report.updated'])
    expect(events[0]?.object).toMatchObject({ id: reportId, comment: 'look', action_taken: false })
    expect(events[0]?.object.statuses.map(({ id }) => id)).toEqual([open])
    expect(events[1]?.object).toMatchObject({ action_taken: true })
    expect(
      received()
        .map(({ body }) => body)
        .join(),
    ).not.toContain('psst')
  })

  it('webhooks receive reports without local-only statuses', async () => {
    await create({ events: ['report.created'] })
    const [alice, bob] = [await given.account(), await given.account()]
    const inside = stringIn((await publish(bob, { status: 'only here', local_only: true })).body, 'id')
    const open = stringIn((await publish(bob)).body, 'id')
    await as(alice).post(
      '/api/v1/reports',
      { account_id: bob.id, status_ids: [inside, open] },
      { overrides: room.overrides },
    )
    await room.work()
    const [event] = received().map(({ body }) => AdminReportEvent.parse(JSON.parse(body)))
    expect(event?.object.statuses.map(({ id }) => id)).toEqual([open])
    expect(received()[0]?.body).not.toContain('only here')
  })

  it('webhooks receive no status that is not public, now or at the time of delivery', async () => {
    await create()
    const alice = await given.account()
    for (const visibility of ['private', 'direct']) await publish(alice, { visibility })
    await publish(alice, { local_only: true })
    const posted = await publish(alice)
    await settleLateWork()
    expect(room.jobs.filter(({ kind }) => kind === 'deliver-webhook')).toHaveLength(1)
    await as(alice).delete(`/api/v1/statuses/${stringIn(posted.body, 'id')}`)
    await room.work()
    expect(received()).toEqual([])
  })

  it('webhooks retry after failures with growing delays until they succeed', async () => {
    const { id } = await create()
    fediverse.network.fail('https://receiver.test/', { status: 500, times: 4 })
    await publish(await given.account())
    for (let attempt = 0; attempt < 5; attempt += 1) await room.work()
    expect(received().map(({ status }) => status)).toEqual([500, 500, 500, 500, 200])
    expect(new Set(received().map(({ body }) => body)).size).toBe(1)
    expect(room.delays).toEqual([60, 300, 1_800, 7_200])
    expect(room.jobs).toEqual([])
    const log = await as(owner).get(`${path}/${id}/deliveries`)
    expect(log.body).toMatchObject([{ state: 'delivered', attempts: 5, http_status: 200, error: null }])
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ failing_since: null })
  })

  it('webhooks end in the dead-letter queue when they never succeed', async () => {
    const { id } = await create()
    fediverse.network.fail('https://receiver.test/', { broken: 'refused' })
    await publish(await given.account())
    for (let attempt = 0; attempt < 9; attempt += 1) await room.work()
    expect(await room.work()).toBe(0)
    expect(room.dead).toHaveLength(1)
    const log = await as(owner).get(`${path}/${id}/deliveries`)
    expect(log.body).toMatchObject([{ state: 'failed', attempts: 9, http_status: null }])
    expect(JSON.stringify(log.body)).not.toContain('s3cret-path')
  })

  it('webhooks are disabled after three days of failures, with notice to their administrators', async () => {
    const colleague = await givenStaff({ permissions: ['manageWebhooks'] })
    const moderator = await givenStaff({ permissions: ['manageReports'] })
    const { id } = await create()
    fediverse.network.fail('https://receiver.test/', { status: 503 })
    await publish(await given.account())
    await room.work()
    clock.advance(3 * 86_400_000 - 1)
    await room.work()
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ enabled: true })
    clock.advance(1)
    await room.work()
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ enabled: false })
    expect(room.dead).toHaveLength(1)
    await room.work()
    const [mail] = room.sent.filter(({ to }) => to === owner.email)
    expect(mail?.text).toContain('receiver.test has failed for three days')
    expect(mail?.text).not.toContain('s3cret-path')
    expect(room.sent.filter(({ to }) => to === colleague.email)).toHaveLength(1)
    expect(room.sent.filter(({ to }) => to === moderator.email)).toEqual([])
    await publish(await given.account())
    expect(await room.work()).toBe(0)
    const enabled = await as(owner).post(`${path}/${id}/enable`)
    expect(enabled.body).toMatchObject({ enabled: true, failing_since: null })
  })

  it('webhooks are disabled once, with one notice to each, where two last attempts fail at the same time', async () => {
    const { id } = await create()
    fediverse.network.fail('https://receiver.test/', { status: 503 })
    for (let count = 0; count < 2; count += 1) await publish(await given.account())
    expect(await room.work()).toBe(2)
    clock.advance(3 * 86_400_000)
    expect(await room.work('together')).toBe(2)
    await room.work()
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ enabled: false })
    expect(room.sent.filter(({ to }) => to === owner.email)).toHaveLength(1)
    const log = await as(owner).get(`/api/fieldfare/v1/admin/audit_log?target_type=webhook&target_id=${id}`)
    expect(log.body).toMatchObject([{ action: 'disable' }, { action: 'create' }])
    expect(await room.work()).toBe(0)
  })

  it('webhooks stay enabled where a delivery succeeds while the last one fails', async () => {
    const { id } = await create()
    fediverse.network.fail('https://receiver.test/', { status: 503, times: 2 })
    for (let count = 0; count < 2; count += 1) await publish(await given.account())
    await room.work()
    clock.advance(3 * 86_400_000)
    fediverse.network.fail('https://receiver.test/', { status: 503, times: 1 })
    await room.work('together')
    expect((await as(owner).get(`${path}/${id}`)).body).toMatchObject({ enabled: true })
    await room.work()
    const log = await as(owner).get(`${path}/${id}/deliveries`)
    expect(log.body).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  })

  it('webhooks send the notice also where the mail fails at first, and once to each', async () => {
    const colleague = await givenStaff({ permissions: ['manageWebhooks'] })
    await create()
    fediverse.network.fail('https://receiver.test/', { status: 503 })
    await publish(await given.account())
    await room.work()
    clock.advance(3 * 86_400_000)
    await room.work()
    const noticed = () =>
      room.sent.map(({ to }) => to).filter((to) => to === owner.email || to === colleague.email)
    room.failNextMail(colleague)
    await room.work()
    expect(noticed()).toEqual([owner.email])
    await room.work()
    expect(noticed()).toEqual([owner.email, colleague.email])
    expect(await room.work()).toBe(0)
  })

  it('webhooks follow no redirect, and log that', async () => {
    const { id } = await create()
    const inside = ['https://127.0.0.1/', 'https://elsewhere.test/', 'http://receiver.test/']
    for (const redirect of inside)
      fediverse.network.fail('https://receiver.test/', { redirect, status: 307, times: 1 })
    await publish(await given.account())
    for (const _ of inside) await room.work()
    const log = await as(owner).get(`${path}/${id}/deliveries`)
    expect(log.body).toMatchObject([
      {
        state: 'pending',
        attempts: 3,
        http_status: 307,
        error: expect.stringMatching(/redirects are not followed/),
      },
    ])
    expect(fediverse.network.requests('https://').map(({ url }) => url)).toEqual(inside.map(() => hookUrl))
  })

  it('webhooks accept any 2xx answer of any length, so that nothing is delivered twice', async () => {
    const { id } = await create()
    const page = 'x'.repeat(200_000)
    const answer = { status: 202, headers: { 'content-length': String(page.length) } }
    fediverse.network.serveHost('receiver.test', () => new Response(page, answer))
    await publish(await given.account())
    await room.work()
    expect(await room.work()).toBe(0)
    expect((await as(owner).get(`${path}/${id}/deliveries`)).body).toMatchObject([
      { state: 'delivered', attempts: 1, http_status: 202, error: null },
    ])
  })

  it('webhooks send no request to private addresses, however they were stored', async () => {
    const { id } = await create()
    const stored = given.env.DB.prepare('update webhooks set url = ? where id = ?')
    await stored.bind('https://192.168.0.1/hook', Number(id)).run()
    await publish(await given.account())
    await room.work()
    expect((await as(owner).get(`${path}/${id}/deliveries`)).body).toMatchObject([
      { state: 'pending', http_status: null, error: 'The address may not be requested' },
    ])
    expect((await as(owner).post(`${path}/${id}/test`)).body).toMatchObject({ delivered: false })
    expect(fediverse.network.requests('https://192.168.0.1/')).toEqual([])
  })

  it('webhooks cost one queue message per delivery, which its retries reuse', async () => {
    await create()
    fediverse.network.fail('https://receiver.test/', { status: 500, times: 3 })
    await publish(await given.account())
    for (let attempt = 0; attempt < 4; attempt += 1) await room.work()
    expect(received().map(({ status }) => status)).toEqual([500, 500, 500, 200])
    expect(room.enqueued.filter(({ kind }) => kind === 'deliver-webhook')).toHaveLength(1)
    expect(room.dead).toEqual([])
  })

  it('webhooks deliver events interrupted by a restart', async () => {
    await create()
    await publish(await given.account())
    await settleLateWork()
    room.jobs.splice(0)
    const resume = tasks.find(({ name }) => name === 'resume-webhook-deliveries')
    await resume?.run(context(room.overrides))
    expect(room.jobs).toEqual([])
    clock.advance(16 * 60_000)
    await resume?.run(context(room.overrides))
    await room.work()
    expect(received()).toHaveLength(1)
  })

  it('webhooks fail into the dead-letter queue, where no attempt ever ends', async () => {
    const { id } = await create()
    await publish(await given.account())
    await settleLateWork()
    const resume = tasks.find(({ name }) => name === 'resume-webhook-deliveries')
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      expect(room.jobs.splice(0).filter(({ kind }) => kind === 'deliver-webhook')).toHaveLength(1)
      expect(room.dead).toEqual([])
      clock.advance(16 * 60_000)
      await resume?.run(context(room.overrides))
    }
    expect(await room.work()).toBe(0)
    expect(room.dead).toHaveLength(1)
    expect((await as(owner).get(`${path}/${id}/deliveries`)).body).toMatchObject([
      { state: 'failed', attempts: 9, error: 'The last attempt did not come to an end' },
    ])
  })

  it('drop pending deliveries when they are disabled, also those interrupted by a restart', async () => {
    const { id } = await create()
    await publish(await given.account())
    await publish(await given.account())
    await settleLateWork()
    room.jobs.pop()
    await as(owner).post(`${path}/${id}/disable`)
    await room.work()
    clock.advance(16 * 60_000)
    await tasks.find(({ name }) => name === 'resume-webhook-deliveries')?.run(context(room.overrides))
    expect(await room.work()).toBe(1)
    expect(received()).toEqual([])
    expect((await as(owner).get(`${path}/${id}/deliveries`)).body).toEqual([])
  })

  it('webhooks keep a log of the last 200 deliveries', async () => {
    const { id } = await create()
    await given.env.DB.prepare(
      `insert into webhook_deliveries (id, webhook_id, event, source_id, object_id, occurred_at, state)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 230)
        select i, ?, 'status.created', i, 1, 0, 'delivered' from n`,
    )
      .bind(Number(id))
      .run()
    await tasks.find(({ name }) => name === 'prune-webhook-deliveries')?.run(context())
    const left = await given.env.DB.prepare(
      'select count(*) as n, min(id) as least from webhook_deliveries',
    ).first()
    expect(left).toEqual({ n: 200, least: 31 })
    const page = await as(owner).get(`${path}/${id}/deliveries?limit=100`)
    expect(page.links.next).toBeDefined()
    expect(page.costs.trips).toBeLessThanOrEqual(1)
  })

  it('webhooks create a new secret, which signs the next event', async () => {
    const { id, secret } = await create()
    const rotated = stringIn((await as(owner).post(`${path}/${id}/rotate_secret`)).body, 'secret')
    expect(rotated).not.toBe(secret)
    await publish(await given.account())
    await room.work()
    const [request] = received()
    expect(request?.headers.get('x-hub-signature')).toBe(
      `sha256=${await hexHmac(rotated, request?.body ?? '')}`,
    )
    expect(JSON.stringify((await as(owner).get(path)).body)).not.toContain(rotated)
  })

  it('fill templates with values of the payload', async () => {
    await create({
      template:
        '{"text":"{{object.account.display_name}}: {{object.content}}", "n":{{nothing.0}}, "all":{{object.tags}}}',
    })
    await publish(await given.account({ displayName: 'Alice "A"' }))
    await room.work()
    const body: unknown = JSON.parse(received()[0]?.body ?? '')
    expect(body).toEqual({ text: 'Alice "A": <p>hello</p>', n: null, all: [] })
  })

  it('webhooks are tested by a signed event at once', async () => {
    const { id, secret } = await create()
    expect((await as(owner).post(`${path}/${id}/test`)).body).toMatchObject({
      delivered: true,
      http_status: 200,
    })
    const [request] = received()
    expect(request?.headers.get('x-hub-signature')).toBe(
      `sha256=${await hexHmac(secret, request?.body ?? '')}`,
    )
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ event: 'webhook.test', object: { id } })
    expect((await as(owner).get(`${path}/${id}/deliveries`)).body).toEqual([])
    fediverse.network.fail('https://receiver.test/', { status: 404 })
    expect((await as(owner).post(`${path}/${id}/test`)).body).toMatchObject({
      delivered: false,
      http_status: 404,
    })
  })

  it('webhooks refuse invalid addresses, events and templates, and store nothing', async () => {
    const bad = [
      { url: 'http://receiver.test/' },
      { url: 'https://127.0.0.1/' },
      { url: 'https://fieldfare.test/' },
      { url: 'nothing' },
      { events: [] },
      { events: ['status.deleted'] },
      { template: 'a\nb {{object' },
      { template: 'x'.repeat(10_001) },
    ]
    for (const fields of bad) {
      const answer = await as(owner).post(path, { url: hookUrl, events: ['status.created'], ...fields })
      expect(answer.status, JSON.stringify(fields)).toBe(422)
    }
    const { body } = await as(owner).post(path, {
      url: hookUrl,
      events: ['status.created'],
      template: 'a\nb {{object',
    })
    expect(stringIn(body, 'error')).toContain('line 2')
    await create()
    expect((await as(owner).post(path, { url: hookUrl, events: ['status.created'] })).status).toBe(422)
  })

  it('webhooks send only what the role of their creator can read', async () => {
    const moderator = await givenStaff({ permissions: ['manageWebhooks', 'manageUsers'] })
    const order = (events: readonly string[]) => as(moderator).post(path, { url: hookUrl, events })
    expect((await order(['account.created', 'report.created'])).status).toBe(403)
    expect((await order(['status.created'])).status).toBe(403)
    expect((await order(['account.created'])).status).toBe(200)
  })

  it('webhooks log every change, without the address', async () => {
    const { id } = await create()
    await as(owner).patch(`${path}/${id}`, { events: ['status.updated'] })
    await as(owner).post(`${path}/${id}/disable`)
    await as(owner).delete(`${path}/${id}`)
    const log = await as(owner).get(`/api/fieldfare/v1/admin/audit_log?target_type=webhook&target_id=${id}`)
    expect(log.body).toMatchObject([
      { action: 'delete', target_label: 'receiver.test' },
      { action: 'disable', before: { enabled: true }, after: { enabled: false } },
      { action: 'update', before: { events: ['status.created'] }, after: { events: ['status.updated'] } },
      { action: 'create' },
    ])
    expect(JSON.stringify(log.body)).not.toContain('s3cret-path')
  })

  it('webhooks are limited in number so that one event stays cheap', async () => {
    for (let at = 0; at < mostWebhooks; at += 1) await create({ url: `https://receiver.test/${at}` })
    expect((await as(owner).post(path, { url: hookUrl, events: ['status.created'] })).status).toBe(422)
  })

  it('webhooks cost an event one round trip once the subscribers are known', async () => {
    for (const at of [1, 2, 3]) await create({ url: `https://receiver.test/${at}` })
    const posted = await publish(await given.account())
    await room.work()
    const counted = countingDb(given.env.DB)
    const fact = {
      event: 'status.created',
      objectId: Number(stringIn(posted.body, 'id')),
      sourceId: 1,
    } as const
    await queueWebhookDeliveries(context(room.overrides, counted.db), fact)
    expect(counted.read()).toMatchObject({ trips: 1, statements: 1 })
    await queueWebhookDeliveries(context(room.overrides), fact)
    expect(room.jobs.filter(({ kind }) => kind === 'deliver-webhook')).toHaveLength(3)
  })

  it('webhooks cost statuses one row a minute without subscribers', async () => {
    await create({ events: ['account.updated'] })
    const counted = countingDb(given.env.DB)
    const ctx = context(room.overrides, counted.db)
    for (const sourceId of [1, 2, 3])
      await queueWebhookDeliveries(ctx, { event: 'status.created', objectId: 1, sourceId })
    expect(counted.read()).toMatchObject({ trips: 1, rowsRead: 1, rowsWritten: 0 })
  })
})
