import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { wire } from '../../src/wire'
import { given, type TestAccount } from '../support/given'
import { clock, fetchApp } from '../support/test-app'
import { countingGate, freshAddress } from './support/gate'

const origin = 'https://fieldfare.test'

type Overrides = ReturnType<typeof countingGate>['overrides']

async function call(path: string, init: RequestInit, overrides: Overrides) {
  const { response, costs } = await fetchApp(new Request(origin + path, init), overrides)
  return { status: response.status, headers: response.headers, text: await response.text(), costs }
}

const asData = { accept: 'application/activity+json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const activity = { 'content-type': 'application/activity+json' }

describe('a network that floods the server', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it.each<[path: string, init?: RequestInit]>([
    ['/api/v1/timelines/public'],
    ['/api/v2/instance'],
    ['/api/v1/apps', { method: 'POST', headers: form, body: 'client_name=x' }],
    ['/api/v1/no/such/thing'],
    ['/api/v1/emails/check_confirmation'],
    ['/api/v1/streaming/user'],
    ['/api/v1/streaming/health'],
    ['/api/openapi.json'],
    ['/oauth/token', { method: 'POST', headers: form, body: 'grant_type=x' }],
    ['/oauth/authorize'],
    ['/.well-known/webfinger?resource=acct:NAME@fieldfare.test'],
    ['/.well-known/host-meta'],
    ['/.well-known/nodeinfo'],
    ['/nodeinfo/2.1'],
    ['/users/NAME', { headers: asData }],
    ['/users/NAME/outbox?page=true', { headers: asData }],
    ['/@NAME', { headers: asData }],
    ['/actor', { headers: asData }],
    ['/emojis/x', { headers: asData }],
    ['/inbox', { method: 'POST', headers: { ...activity, signature: 'x' }, body: '{}' }],
    ['/users/NAME/inbox', { method: 'POST', headers: { ...activity, signature: 'x' }, body: '{}' }],
    ['/setup/owner', { method: 'POST' }],
    ['/media/1'],
    ['/media/attachments/a/b.png'],
    ['/media/proxy/mac/url'],
    ['/media_proxy/1/small'],
    ['/'],
    ['/@NAME'],
    ['/auth/sign_in'],
    ['/no/such/page'],
  ])('refuses a flooding network at %s, without reading anything', async (path, init = {}) => {
    const { overrides } = countingGate({ network: 0 })
    const answer = await call(path.replace('NAME', alice.username), init, overrides)
    expect([answer.status, answer.costs.trips]).toEqual([429, 0])
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    const until = new Date(answer.headers.get('retry-after') ?? '')
    expect(until.getTime() - clock.now().getTime()).toBeLessThanOrEqual(60_000)
    expect(until.getTime()).toBeGreaterThan(clock.now().getTime())
  })

  it('refuses page views from other sites too', async () => {
    const { overrides } = countingGate({ network: 0 })
    const headers = { origin: 'https://client.example' }
    const answer = await call('/api/v2/instance', { headers }, overrides)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([429, '*'])
    const preflight = { ...headers, 'access-control-request-method': 'POST' }
    expect(
      (await call('/api/v1/statuses', { method: 'OPTIONS', headers: preflight }, overrides)).status,
    ).toBe(204)
  })

  it('counts an IPv6 network as /48, and a single client as /64', async () => {
    const { overrides, counts } = countingGate()
    for (const ip of ['2001:db8:7:1::1', '2001:db8:7:1:2::2', '2001:db8:7:2::1'])
      await call('/api/v1/timelines/public', { headers: { 'cf-connecting-ip': ip } }, overrides)
    expect(Object.fromEntries(counts)).toEqual({
      'network 2001:db8:7::/48': 3,
      'caller 2001:db8:7:1::/64': 2,
      'caller 2001:db8:7:2::/64': 1,
    })
  })

  it('allows any number of pictures without refusing their pages', async () => {
    const [ip, { overrides, counts }] = [freshAddress(), countingGate({ network: 2 })]
    const headers = { 'cf-connecting-ip': ip }
    const statuses: number[] = []
    for (const path of ['/media/a/b.png', '/media/a/c.png', '/media/a/d.png', '/api/v2/instance'])
      statuses.push((await call(path, { headers }, overrides)).status)
    expect(statuses).toEqual([404, 404, 429, 200])
    expect(Object.fromEntries(counts)).toEqual({
      [`network files ${ip}`]: 3,
      [`network ${ip}`]: 1,
      [`caller ${ip}`]: 1,
    })
  })

  it('applies the wider of the two limits of the platform', async () => {
    const asked: string[] = []
    const limited = (name: string) => ({
      limit: async ({ key }: { key: string }) => ({ success: asked.push(`${name} ${key}`) > 0 }),
    })
    const own = { ...env, FLOOD: limited('caller'), FLOOD_NETWORK: limited('network') }
    const { throttle } = wire(own, { waitUntil: () => undefined })
    await call('/api/v2/instance', { headers: { 'cf-connecting-ip': '198.51.100.1' } }, { throttle })
    expect(asked).toEqual(['network 198.51.100.1', 'caller 198.51.100.1'])
  })
})

describe('an unauthenticated client that floods the server', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it.each<[path: string, init?: RequestInit]>([
    ['/api/v1/timelines/public'],
    ['/oauth/token', { method: 'POST', headers: form, body: 'grant_type=x' }],
    ['/users/NAME', { headers: asData }],
    ['/users/NAME/outbox', { headers: asData }],
    ['/users/NAME', { headers: { ...asData, signature: 'keyId="x"' } }],
    ['/users/NAME/followers_synchronization', { headers: asData }],
    ['/inbox', { method: 'POST', headers: activity, body: '{}' }],
    ['/setup/owner', { method: 'POST', headers: { authorization: 'Bearer guessed' } }],
    ['/@NAME'],
    ['/auth/sign_in'],
    ['/no/such/page'],
  ])('refuses a flooding client at %s, without reading anything', async (path, init = {}) => {
    const { overrides } = countingGate({ caller: 0 })
    const answer = await call(path.replace('NAME', alice.username), init, overrides)
    expect([answer.status, answer.costs.trips]).toEqual([429, 0])
  })

  it('does not refuse servers that sign their requests', async () => {
    const peer = await given.peer()
    const { overrides } = countingGate({ caller: 0 })
    expect((await peer.get(`/users/${alice.username}`, { overrides })).status).toBe(200)
    expect((await peer.send(peer.activity('Dance', 'x'), { overrides })).status).toBe(202)
  })

  it('does not refuse visitors who search for accounts or request NodeInfo', async () => {
    const { overrides } = countingGate({ caller: 0 })
    for (const path of [
      `/.well-known/webfinger?resource=acct:${alice.username}@fieldfare.test`,
      '/.well-known/nodeinfo',
      '/nodeinfo/2.1',
      '/api/openapi.json',
    ])
      expect([path, (await call(path, {}, overrides)).status]).toEqual([path, 200])
  })
})
