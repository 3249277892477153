import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { endSessions, revokeOtherSessions, sessionSeconds } from '../../src/domain/sessions/web-session'
import { as } from '../support/as'
import type { Browser } from '../support/browser'
import { countingDb } from '../support/costs'
import { expectCosts } from '../support/expect-costs'
import { fakeQueue } from '../support/fake-queue'
import { given, type TestAccount } from '../support/given'
import { subscribedBrowser, subscribedDevice } from '../support/given-push'
import { signedIn } from '../support/members'
import { runJob } from '../support/run-job'
import { clock, context } from '../support/test-app'

/** A member whose browser gets push notifications, and a queue for what others do. */
async function scene() {
  const [{ member, browser }, bob] = [await signedIn(), await given.account({ displayName: 'Bob' })]
  const queue = fakeQueue()
  const overrides = { jobs: queue.ctx.jobs }
  const device = await subscribedBrowser(browser)
  const mention = (text = 'hello') =>
    as(bob).post('/api/v1/statuses', { status: `@${member.username} ${text}` }, { overrides })
  return { member, browser, bob, device, overrides, mention, ...queue }
}

async function run(query: string, ...values: readonly (string | number)[]) {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all()
  return results
}

const sessionsOf = async ({ id }: TestAccount) =>
  (await run('select id from sessions where account_id = ? order by id', id)).map((row) => Number(row['id']))
const rowsOf = async ({ id }: TestAccount) =>
  (await run('select id from browser_push_subscriptions where account_id = ?', id)).length

describe('a notification that is pushed to a browser', () => {
  it('names no token, and the page it opens', async () => {
    const { bob, device, mention, work } = await scene()
    const { body } = await mention()
    await work()
    const id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
    expect(device.pushedTo()).toMatchObject([
      {
        access_token: '',
        title: 'Bob mentioned you',
        url: `/@${bob.username}/${id}`,
        tag: expect.stringMatching(/^notification-\d+$/),
      },
    ])
  })

  it('a notification that is pushed to a browser is replaced by the next one of its group', async () => {
    const { member, bob, device, overrides, work } = await scene()
    const [{ id }, carol] = [await given.status({ by: member }), await given.account()]
    for (const fan of [bob, carol]) await as(fan).post(`/api/v1/statuses/${id}/favourite`, {}, { overrides })
    await as(carol).post(`/api/v1/accounts/${member.id}/follow`, {}, { overrides })
    await work()
    const [first, second, third] = device.pushedTo()
    expect(second?.tag).toBe(first?.tag)
    expect(first?.url).toBe(`/@${member.username}/${id}`)
    expect(third).toMatchObject({ notification_type: 'follow', url: `/@${carol.username}` })
    expect(third?.tag).not.toBe(first?.tag)
  })

  it('reaches apps and browsers alike, each once and in parts', async () => {
    const { member, device, mention, work } = await scene()
    const apps = []
    for (let count = 0; count < 8; count += 1)
      apps.push(await subscribedDevice(await given.token({ accountId: member.id, scopes: 'push' })))
    await mention()
    expect(await work()).toEqual(['done', 'done'])
    expect(apps.map(({ pushed }) => pushed.length)).toEqual(apps.map(() => 1))
    expect(device.pushedTo()).toHaveLength(1)
  })

  it('a notification that is pushed to a browser is retried alone when its push service fails', async () => {
    const { device, mention, jobs, work } = await scene()
    device.refuse(new Response('later', { status: 503 }))
    await mention()
    await work()
    expect(device.attempts()).toBe(2)
    expect(device.pushedTo()).toHaveLength(1)
    expect(JSON.stringify(jobs)).not.toContain('push.test')
  })

  it('ends the subscription where the push service knows it no more', async () => {
    const { member, device, mention, work } = await scene()
    device.refuse(new Response('gone', { status: 410 }))
    await mention()
    await work()
    expect(await rowsOf(member)).toBe(0)
  })

  it('costs one round trip that writes nothing', async () => {
    const { mention, jobs } = await scene()
    await mention()
    const wanted = jobs.find(({ kind }) => kind === 'send-push')
    if (wanted === undefined) throw new Error('Nothing is wanted')
    const counted = countingDb(env.DB)
    await runJob(context({ db: openDb(counted.db) }), wanted)
    const costs = counted.read()
    expectCosts(costs, { trips: 1, statements: 2, rowsWritten: 0 })
    expect(costs.rowsRead).toBeLessThanOrEqual(60)
  })
})

describe('nothing is pushed to a browser', () => {
  const set = (table: string, change: string, column: string, { id }: TestAccount) =>
    run(`update ${table} set ${change} where ${column} = ?`, id)
  type Change = (alice: TestAccount, bob: TestAccount, browser: Browser) => Promise<unknown>
  const changes: Readonly<Record<string, Change>> = {
    'that turned it off': (_alice, _bob, browser) =>
      browser.fill('/settings/push', {}, { action: '/settings/push/off' }),
    'that no longer wants this kind': (_alice, _bob, browser) =>
      browser.fill('/settings/push', { follow: 'true', policy: 'all' }),
    'that wants nothing of strangers': (_alice, _bob, browser) =>
      browser.fill('/settings/push', { mention: 'true', policy: 'followed' }),
    'that signed out': (_alice, _bob, browser) =>
      browser.fill('/auth/edit', {}, { action: '/auth/sign_out' }),
    'whose session was ended elsewhere': (alice) => revokeOtherSessions(context(), alice.id, 0),
    'whose session has expired': async () => clock.advance(sessionSeconds * 1000 + 1),
    'whose account blocks the sender': (alice, bob) => as(alice).post(`/api/v1/accounts/${bob.id}/block`),
    'whose account mutes the sender': (alice, bob) => as(alice).post(`/api/v1/accounts/${bob.id}/mute`),
    'whose account is suspended': (alice) => set('accounts', 'suspended_at = 1', 'id', alice),
    'whose account is disabled': (alice) => set('users', 'disabled_at = 1', 'account_id', alice),
    'whose account is no longer approved': (alice) => set('users', 'approved = 0', 'account_id', alice),
    'whose account has to confirm its address': (alice) =>
      set('users', 'confirmed_at = null', 'account_id', alice),
    'whose role requires a second factor that it lacks': async (alice) => {
      await run(
        "insert into roles (id, name, position, permissions, require_two_factor, created_at, updated_at) values (?, 'Guarded', 1, 0, 1, 0, 0)",
        alice.id,
      )
      await set('users', `role_id = ${alice.id}`, 'account_id', alice)
    },
    'of a suspended sender': (_alice, bob) => set('accounts', 'suspended_at = 1', 'id', bob),
  }
  it.each(Object.entries(changes))('%s', async (_, change) => {
    const { member, bob, browser, device, mention, jobs, work } = await scene()
    await mention()
    expect(jobs.some(({ kind }) => kind === 'send-push')).toBe(true)
    await change(member, bob, browser)
    await work()
    expect(device.attempts()).toBe(0)
  })

  it('nothing is pushed about a post that its author has deleted meanwhile', async () => {
    const { bob, device, mention, work } = await scene()
    const { body } = await mention()
    const id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
    await as(bob).delete(`/api/v1/statuses/${id}`)
    await work()
    expect(device.attempts()).toBe(0)
  })
})

describe('the row of a browser', () => {
  it('ends with its session, and with no other of the account', async () => {
    const { member, browser } = await scene()
    const [own = 0] = await sessionsOf(member)
    expect(await rowsOf(member)).toBe(1)
    await endSessions(context(), [{ accountId: member.id, id: own + 1 }])
    expect(await rowsOf(member)).toBe(1)
    await browser.fill('/auth/edit', {}, { action: '/auth/sign_out' })
    expect(await rowsOf(member)).toBe(0)
  })

  it('ends when somebody else signs in to the same browser and turns notifications on', async () => {
    const { member, device } = await scene()
    const other = await signedIn()
    const { endpoint, keys } = device.subscription
    await other.browser.fill('/settings/push', { endpoint, ...keys }, { action: '/settings/push/on' })
    expect([await rowsOf(member), await rowsOf(other.member)]).toEqual([0, 1])
  })

  it('the row of a browser holds no token', async () => {
    const { member } = await scene()
    const [row] = await run('select * from browser_push_subscriptions where account_id = ?', member.id)
    expect(Object.keys(row ?? {}).toSorted()).toEqual([
      'account_id',
      'alerts',
      'auth',
      'created_at',
      'endpoint',
      'failures',
      'id',
      'p256dh',
      'policy',
      'session_id',
    ])
  })
})
