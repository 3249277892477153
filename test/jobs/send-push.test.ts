import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Instance } from '../../src/contract/entities/instance'
import { execute, openDb } from '../../src/db/query'
import { pushSubscriptions } from '../../src/db/schema'
import { loadVapidKey } from '../../src/domain/instance/keys'
import { enqueueJob } from '../../src/jobs/effects'
import { assetPath } from '../../src/lib/assets'
import type { Job } from '../../src/messages/jobs'
import { anonymous, as } from '../support/as'
import { countingDb } from '../support/costs'
import { expectCosts } from '../support/expect-costs'
import { fakeQueue } from '../support/fake-queue'
import { given, type TestAccount } from '../support/given'
import { subscribedDevice } from '../support/given-push'
import { relation } from '../support/given-relationships'
import { exchange, givenCode, givenDerivedToken, registerClient, tokenIn } from '../support/oauth'
import { runJob } from '../support/run-job'
import { clock, context } from '../support/test-app'

/** The queue of one test, and deeds whose effects go there. */
function pushing() {
  const work = fakeQueue()
  const overrides = { jobs: work.ctx.jobs }
  const post = (by: TestAccount, status: string, more: object = {}) =>
    as(by).post('/api/v1/statuses', { status, ...more }, { overrides })
  return { ...work, overrides, post }
}

const wantedIn = (jobs: readonly Job[]) => jobs.filter(({ kind }) => kind === 'send-push')

describe('a pushed notification', () => {
  it('arrives encrypted by the standard, signed with the key of the instance', async () => {
    const [alice, bob] = [await given.account(), await given.account({ displayName: 'Bob 🦜' })]
    const { post, work } = pushing()
    const device = await subscribedDevice(alice)
    await post(bob, `@${alice.username} Look, <b>waxwings</b> & more!`)
    await work()
    const [pushed, ...rest] = device.pushed
    expect(rest).toEqual([])
    expect(pushed?.message).toMatchObject({
      preferred_locale: 'en',
      notification_type: 'mention',
      title: 'Bob 🦜 mentioned you',
      icon: `https://fieldfare.test${assetPath('avatar.webp')}`,
      body: `@${alice.username} Look, <b>waxwings</b> & more!`,
    })
    const { body } = await as(alice).get(`/api/v1/notifications/${pushed?.message.notification_id}`)
    expect(body).toMatchObject({ type: 'mention', account: { id: String(bob.id) } })
    const instance = Instance.parse((await anonymous.get('/api/v2/instance')).body)
    expect(pushed?.serverKey).toBe(instance.configuration.vapid.public_key)
    expect(pushed?.serverKey).toBe(await execute(context().db, loadVapidKey(context())))
    expect(pushed?.claims).toEqual({
      aud: device.origin,
      exp: clock.now().getTime() / 1000 + 13 * 3600,
      sub: 'https://fieldfare.test',
    })
    const headers = Object.fromEntries(pushed?.headers ?? [])
    expect(headers).toMatchObject({
      ttl: '172800',
      urgency: 'high',
      'content-type': 'application/octet-stream',
    })
    expect(headers['crypto-key']).toBeUndefined()
  })

  it('arrives in the draft form where the application did not ask for the standard', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { overrides, work } = pushing()
    const device = await subscribedDevice(alice, { standard: false })
    await as(bob).post(`/api/v1/accounts/${alice.id}/follow`, {}, { overrides })
    await work()
    expect(device.pushed.map(({ message }) => message.title)).toEqual([
      `${bob.username} is now following you`,
    ])
    expect(device.pushed[0]?.headers.get('urgency')).toBe('normal')
    expect(device.pushed[0]?.claims.aud).toBe(device.origin)
  })

  it('names the token of the application', async () => {
    const [alice, bob, client] = [await given.account(), await given.account(), await registerClient()]
    const token = tokenIn(
      (await exchange(client, await givenCode(client, alice.id, { scopes: 'push' }))).body,
    )
    const { jobs, post, work } = pushing()
    const device = await subscribedDevice(token)
    await post(bob, `@${alice.username} hello`)
    expect(JSON.stringify(wantedIn(jobs))).toMatch(/^\[\{"kind":"send-push","notificationIds":\[\d+\]\}\]$/)
    await work()
    expect(device.pushed.map(({ message }) => message.access_token)).toEqual([token])
  })

  it('names an older token for an older subscription', async () => {
    const [alice, bob, client] = [await given.account(), await given.account(), await registerClient()]
    const derived = { applicationId: client.id, accountId: alice.id, scopes: 'read push' }
    const token = await givenDerivedToken(derived)
    const { post, work } = pushing()
    const device = await subscribedDevice(token)
    await given.env.DB.prepare('update push_subscriptions set sealed_token = null').run()
    await post(bob, `@${alice.username} hello`)
    await work()
    expect(device.pushed.map(({ message }) => message.access_token)).toEqual([token])
  })

  it('stores no token in plain text, and puts none into the queue', async () => {
    const alice = await given.account()
    await subscribedDevice(alice)
    const [row] = await context()
      .db.select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.accountId, alice.id))
    expect(row?.sealedToken).toMatch(/^aesgcm2\$/)
    expect(JSON.stringify(row)).not.toContain(alice.token)
  })

  it('a pushed notification is in the language of the reader, and has at most the content warning', async () => {
    const alice = await given.account({ user: { locale: 'de-AT' } })
    const bob = await given.account({ displayName: '  ' })
    const { post, work } = pushing()
    const device = await subscribedDevice(alice)
    await post(bob, `@${alice.username} spoiler`, { spoiler_text: 'About an ending' })
    await work()
    expect(device.pushed[0]?.message).toMatchObject({
      preferred_locale: 'de-AT',
      title: `${bob.username} hat dich erwähnt`,
      body: 'About an ending',
    })
  })

  it('a pushed notification has a title in each language of pages', async () => {
    const alice = await given.account({ user: { locale: 'ja' } })
    const bob = await given.account({ displayName: 'Bob' })
    const { post, work } = pushing()
    const device = await subscribedDevice(alice)
    await post(bob, `@${alice.username} hello`)
    await work()
    expect(device.pushed[0]?.message.title).toBe('Bobさんがあなたにメンションしました')
  })

  it('fits into a message whatever its content', async () => {
    const alice = await given.account()
    const bob = await given.account({ displayName: '"\\💥'.repeat(200) })
    const { post, work } = pushing()
    const device = await subscribedDevice(alice)
    await post(bob, `@${alice.username} ${'💥"\\'.repeat(150)}`)
    await work()
    const [pushed] = device.pushed
    expect(pushed?.sizeBytes).toBeLessThan(4096)
    expect([...(pushed?.message.body ?? '')].length).toBe(140)
    expect(pushed?.message.body.endsWith('…')).toBe(true)
  })

  it('a pushed notification is sent once for each device, and the vault signs once for each push service', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const second = await given.token({ accountId: alice.id, scopes: 'push read' })
    let signed = 0
    const { vault } = context()
    const counting = {
      ...vault,
      signPush: (key: string, bytes: Uint8Array) => {
        signed += 1
        return vault.signPush(key, bytes)
      },
    }
    const devices = [await subscribedDevice(alice), await subscribedDevice(second)]
    for (const word of ['one', 'two']) {
      const { jobs, overrides } = pushing()
      await as(bob).post('/api/v1/statuses', { status: `@${alice.username} ${word}` }, { overrides })
      for (const job of jobs) await runJob(context({ vault: counting }), job)
    }
    expect(devices.map(({ pushed }) => pushed.length)).toEqual([2, 2])
    expect(signed).toBe(2)
  })
})

describe('the alerts of a push subscription', () => {
  it('costs nothing without subscriptions, or with others only', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { jobs, post, overrides } = pushing()
    const { id } = await given.status({ by: alice })
    await post(bob, `@${alice.username} unreached`)
    await subscribedDevice(alice, { alerts: ['mention'] })
    await as(bob).post(`/api/v1/statuses/${id}/favourite`, {}, { overrides })
    expect(wantedIn(jobs)).toEqual([])
    await post(bob, `@${alice.username} heard`)
    expect(wantedIn(jobs)).toHaveLength(1)
  })

  it('pushes notifications whose alert is on [T-652]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { overrides, post, work } = pushing()
    const { id } = await given.status({ by: alice })
    const one = await subscribedDevice(alice, { alerts: ['favourite'] })
    const all = await subscribedDevice(await given.token({ accountId: alice.id, scopes: 'push' }))
    await post(bob, `@${alice.username} hello`)
    await as(bob).post(`/api/v1/statuses/${id}/favourite`, {}, { overrides })
    await as(bob).post(`/api/v1/statuses/${id}/reblog`, {}, { overrides })
    await work()
    expect(one.pushed.map(({ message }) => message.notification_type)).toEqual(['favourite'])
    expect(all.pushed.map(({ message }) => message.notification_type)).toEqual([
      'mention',
      'favourite',
      'reblog',
    ])
  })

  it.each([
    ['all', [true, true, true]],
    ['followed', [false, true, false]],
    ['follower', [false, false, true]],
    ['none', [false, false, false]],
  ] as const)(
    'pushes under the policy %s notifications of permitted accounts [T-653]',
    async (policy, expected) => {
      const alice = await given.account()
      const [stranger, followed, follower] = [
        await given.account(),
        await given.account(),
        await given.account(),
      ]
      await relation.follow(alice, followed)
      await relation.follow(follower, alice)
      const { post, work } = pushing()
      const device = await subscribedDevice(alice, { policy })
      const senders = [stranger, followed, follower]
      for (const sender of senders) await post(sender, `@${alice.username} hello`)
      await work()
      const titles = device.pushed.map(({ message }) => message.title)
      expect(senders.map(({ username }) => titles.includes(`${username} mentioned you`))).toEqual(expected)
    },
  )

  it('pushes no notification that the policy filters', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await as(alice).patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
    const { jobs, post, work } = pushing()
    const device = await subscribedDevice(alice)
    await post(bob, `@${alice.username} held back`)
    expect(wantedIn(jobs)).toEqual([])
    await work()
    expect(device.attempts()).toBe(0)
  })

  it('checks the rules again when it is sent', async () => {
    const changes: readonly ((alice: TestAccount, bob: TestAccount, id: string) => Promise<unknown>)[] = [
      (alice) => as(alice).put('/api/v1/push/subscription', { data: { alerts: { mention: false } } }),
      (alice) => as(alice).delete('/api/v1/push/subscription'),
      (alice) => as(alice).post('/api/v1/notifications/clear'),
      (alice, bob) => as(alice).post(`/api/v1/accounts/${bob.id}/block`),
      (alice, bob) => as(alice).post(`/api/v1/accounts/${bob.id}/mute`),
      (_, bob, id) => as(bob).delete(`/api/v1/statuses/${id}`),
      (alice) => set('users', 'disabled_at = 1', 'account_id', alice),
      (alice) => set('users', 'approved = 0', 'account_id', alice),
      (alice) => set('users', 'confirmed_at = null', 'account_id', alice),
      (alice) => set('accounts', 'suspended_at = 1', 'id', alice),
      (_, bob) => set('accounts', 'suspended_at = 1', 'id', bob),
      (alice) => set('access_tokens', "scopes = 'read pushy'", 'account_id', alice),
      (alice) => given.env.DB.prepare('delete from access_tokens where account_id = ?').bind(alice.id).run(),
    ]
    for (const change of changes) {
      const [alice, bob] = [await given.account(), await given.account()]
      const { jobs, post, work } = pushing()
      const device = await subscribedDevice(alice)
      const { body } = await post(bob, `@${alice.username} hello`)
      expect(wantedIn(jobs)).toHaveLength(1)
      const id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
      await change(alice, bob, id)
      await work()
      expect([String(change), device.attempts()]).toEqual([String(change), 0])
    }
  })
})

function set(table: string, change: string, column: string, { id }: TestAccount) {
  return given.env.DB.prepare(`update ${table} set ${change} where ${column} = ?`).bind(id).run()
}

it('pushes of many accounts are queued in parts that fit a message', async () => {
  const { ctx, jobs } = fakeQueue()
  const notificationIds = Array.from({ length: 2_500 }, (_, index) => index)
  await enqueueJob(ctx, { kind: 'send-push', notificationIds })
  const parts = jobs.flatMap((job) => (job.kind === 'send-push' ? [job.notificationIds] : []))
  expect(parts.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
  expect(parts.flat()).toEqual(notificationIds)
})

describe('many devices', () => {
  it('many devices are served in parts, each once', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const tokens = await Promise.all(
      Array.from({ length: 13 }, () => given.token({ accountId: alice.id, scopes: 'push' })),
    )
    const devices = []
    for (const token of tokens) devices.push(await subscribedDevice(token))
    const { post, work } = pushing()
    await post(bob, `@${alice.username} hello`)
    expect(await work()).toEqual(['done', 'done', 'done'])
    expect(devices.map(({ pushed }) => pushed.length)).toEqual(tokens.map(() => 1))
  })

  it('push messages to many devices cost one round trip that writes nothing', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const tokens = await Promise.all(
      Array.from({ length: 6 }, () => given.token({ accountId: alice.id, scopes: 'push' })),
    )
    for (const token of tokens) await subscribedDevice(token)
    const { jobs, post } = pushing()
    await post(bob, `@${alice.username} hello`)
    const [wanted] = wantedIn(jobs)
    if (wanted === undefined) throw new Error('Nothing is wanted')
    const counted = countingDb(env.DB)
    await runJob(context({ db: openDb(counted.db) }), wanted)
    const costs = counted.read()
    expectCosts(costs, { trips: 1, statements: 2, rowsWritten: 0 })
    expect(costs.rowsRead).toBeLessThanOrEqual(120)
  })
})
