import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { execute } from '../../src/db/query'
import { loadVapidKey } from '../../src/domain/instance/keys'
import { revokeApplication } from '../../src/domain/sessions/authorized-applications'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import { exchange, givenCode, registerClient, tokenIn } from '../support/oauth'
import { pushDevice } from '../support/push-device'
import { context } from '../support/test-app'

const path = '/api/v1/push/subscription'

const Shown = z.object({ id: z.number(), server_key: z.string() })

async function subscribed(data?: object) {
  const alice = await given.account()
  const device = pushDevice()
  const answer = await as(alice).post(path, { subscription: device.subscription, data })
  return { alice, device, answer, shown: Shown.parse(answer.body) }
}

describe('POST push/subscription', () => {
  it('stores endpoint and choices, and returns the key of the instance [T-446]', async () => {
    const alice = await given.account()
    const { endpoint, keys } = pushDevice().subscription
    const form = new URLSearchParams({
      'subscription[endpoint]': endpoint,
      'subscription[standard]': 'true',
      'subscription[keys][p256dh]': keys.p256dh,
      'subscription[keys][auth]': keys.auth,
      'data[alerts][mention]': 'true',
      'data[alerts][favourite]': '0',
      'data[alerts][admin.sign_up]': '1',
      'data[policy]': 'followed',
    })
    await anonymous.get('/api/v2/instance')
    const { status, body, costs } = await as(alice).post(path, form)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      endpoint,
      standard: true,
      policy: 'followed',
      alerts: { mention: true, favourite: false, 'admin.sign_up': true },
      server_key: await execute(context().db, loadVapidKey(context())),
    })
    expect(costs.trips).toBeLessThanOrEqual(4)
    expect((await as(alice).get(path)).body).toEqual(body)
  })

  it('accepts JSON; without choices there are no alerts, and the older encryption [T-447]', async () => {
    const alice = await given.account()
    const { endpoint, keys } = pushDevice().subscription
    const { body } = await as(alice).post(path, { subscription: { endpoint, keys } })
    expect(body).toMatchObject({ endpoint, standard: false, alerts: {}, policy: 'all' })
  })

  it('reads the policy where Phanpy sends it', async () => {
    const alice = await given.account()
    const { subscription } = pushDevice()
    const sent = { subscription, data: { alerts: { poll: true } }, policy: 'follower' }
    expect((await as(alice).post(path, sent)).body).toMatchObject({ policy: 'follower' })
  })

  it('replaces the token’s old one, and keeps that of another token [T-448]', async () => {
    const { alice, shown, device } = await subscribed()
    const other = await given.token({ accountId: alice.id, scopes: 'push' })
    const next = pushDevice()
    const answer = await as(other).post(path, { subscription: next.subscription })
    expect(answer.body).toMatchObject({ endpoint: next.endpoint })
    expect((await as(alice).get(path)).body).toMatchObject({ id: shown.id, endpoint: device.endpoint })
    const last = pushDevice()
    const replaced = await as(alice).post(path, { subscription: last.subscription })
    expect(Shown.parse(replaced.body).id).toBeGreaterThan(shown.id)
    expect((await as(alice).get(path)).body).toMatchObject({ endpoint: last.endpoint })
  })

  it('keeps as many of one account as it has devices, without the oldest', async () => {
    const alice = await given.account()
    const tokens = await Promise.all(
      Array.from({ length: 41 }, () => given.token({ accountId: alice.id, scopes: 'push' })),
    )
    for (const token of tokens) await as(token).post(path, { subscription: pushDevice().subscription })
    const [oldest = '', second = ''] = tokens
    expect([(await as(oldest).get(path)).status, (await as(second).get(path)).status]).toEqual([404, 200])
  })

  const { subscription: sound } = pushDevice()
  it.each([
    ['nothing at the endpoint', { endpoint: '' }],
    ['an endpoint that is no address', { endpoint: 'push service' }],
    ['http', { endpoint: 'http://push.test/1' }],
    ['a number for a host', { endpoint: 'https://127.0.0.1/1' }],
    ['a private network', { endpoint: 'https://push.internal/1' }],
    ['another port', { endpoint: 'https://push.test:8443/1' }],
    ['this server', { endpoint: 'https://fieldfare.test/1' }],
    ['credentials in the address', { endpoint: 'https://me:secret@push.test/1' }],
    ['an endless address', { endpoint: `https://push.test/${'x'.repeat(2_040)}` }],
    ['an object for an address', { endpoint: { a: 1 } }],
    ['no keys', { keys: undefined }],
    ['text for keys', { keys: 'secret' }],
    ['a bad public key', { keys: { ...sound.keys, p256dh: 'BAAA' } }],
    ['a bad secret', { keys: { ...sound.keys, auth: 'AAAA' } }],
  ])('POST push/subscription refuses %s with 422 [T-449]', async (_, broken) => {
    const alice = await given.account()
    const answer = await as(alice).post(path, { subscription: { ...sound, ...broken } })
    expect(answer).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('Validation failed') },
    })
    expect((await as(alice).get(path)).status).toBe(404)
  })

  it('refuses an unknown policy with 422', async () => {
    const alice = await given.account()
    const sent = { subscription: sound, data: { policy: 'friends' } }
    expect((await as(alice).post(path, sent)).status).toBe(422)
  })

  it.each([
    ['nothing', undefined],
    ['text', 'https://push.test/1'],
    ['a list', [sound]],
  ])('refuses %s in place of a subscription with 400 [T-450]', async (_, subscription) => {
    const alice = await given.account()
    expect((await as(alice).post(path, { subscription })).status).toBe(400)
  })

  it('requires the scope push [T-451]', async () => {
    const alice = await given.account({ scopes: 'read write follow' })
    const answer = await as(alice).post(path, { subscription: sound })
    expect(answer).toMatchObject({
      status: 403,
      body: { error: 'This action is outside the authorized scopes' },
    })
  })
})

describe('PUT push/subscription', () => {
  it.each(['put', 'patch'] as const)('changes alerts and policy as a whole (%s) [T-452]', async (method) => {
    const { alice, answer } = await subscribed({ alerts: { mention: true, poll: true }, policy: 'none' })
    const data = { alerts: { follow: 'true', mention: 'false' } }
    const changed = await as(alice)[method](path, { data })
    expect(changed.body).toEqual({
      ...z.looseObject({}).parse(answer.body),
      alerts: { follow: true, mention: false },
      policy: 'all',
    })
    expect((await as(alice).get(path)).body).toEqual(changed.body)
  })

  it('turns all off where nothing is chosen', async () => {
    const { alice } = await subscribed({ alerts: { mention: true } })
    expect((await as(alice).put(path, {})).body).toMatchObject({ alerts: {}, policy: 'all' })
  })

  it('PUT push/subscription ignores unknown alerts', async () => {
    const { alice } = await subscribed()
    const data = { alerts: { mention: true, everything: true } }
    expect((await as(alice).put(path, { data })).body).toMatchObject({ alerts: { mention: true } })
  })

  it.each(['alerts', ['alerts'], 7])('refuses %j in place of data with 400 [T-453]', async (data) => {
    const { alice } = await subscribed()
    expect((await as(alice).put(path, { data })).status).toBe(400)
  })

  it('PUT without a subscription → 404 [T-454]', async () => {
    const alice = await given.account()
    const answer = await as(alice).put(path, { data: { alerts: { mention: true } } })
    expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })
})

describe('GET and DELETE push/subscription', () => {
  it('GET and DELETE without a subscription → 404, and {} [T-455]', async () => {
    const alice = await given.account()
    expect(await as(alice).get(path)).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    expect(await as(alice).delete(path)).toMatchObject({ status: 200, body: {} })
  })

  it('deletes it, of this token only [T-456]', async () => {
    const { alice } = await subscribed()
    const other = await given.token({ accountId: alice.id, scopes: 'push' })
    await as(other).post(path, { subscription: pushDevice().subscription })
    expect(await as(other).delete(path)).toMatchObject({ status: 200, body: {} })
    expect([(await as(other).get(path)).status, (await as(alice).get(path)).status]).toEqual([404, 200])
  })
})

describe('a subscription', () => {
  const countOf = async (accountId: number) => {
    const counted = given.env.DB.prepare('select count(*) from push_subscriptions where account_id = ?')
    return counted.bind(accountId).first('count(*)')
  }

  it('a subscription is deleted with its token [T-457]', async () => {
    const [alice, client] = [await given.account(), await registerClient()]
    const token = tokenIn(
      (await exchange(client, await givenCode(client, alice.id, { scopes: 'push' }))).body,
    )
    await as(token).post(path, { subscription: pushDevice().subscription })
    expect(await countOf(alice.id)).toBe(1)
    await anonymous.post('/oauth/revoke', { client_id: client.clientId, token })
    expect(await countOf(alice.id)).toBe(0)
  })

  it('a subscription is deleted with all tokens of a revoked application [T-458]', async () => {
    const [alice, client] = [await given.account(), await registerClient()]
    const token = tokenIn(
      (await exchange(client, await givenCode(client, alice.id, { scopes: 'push' }))).body,
    )
    await as(token).post(path, { subscription: pushDevice().subscription })
    await as(alice).post(path, { subscription: pushDevice().subscription })
    await revokeApplication(context(), alice.id, client.id)
    expect(await countOf(alice.id)).toBe(1)
    expect((await as(alice).get(path)).status).toBe(200)
  })
})
