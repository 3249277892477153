import { beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { given, type TestAccount } from '../support/given'
import { givenMember } from '../support/members'
import { freshIp } from '../support/oauth'
import { context, fetchApp } from '../support/test-app'
import { countingGate, freshAddress } from './support/gate'

/** Known flaws of other servers in requests that are spelled otherwise than the rule which they had to meet. */

const origin = 'https://fieldfare.test'
type Overrides = Parameters<typeof fetchApp>[1]

async function call(path: string, init: RequestInit, overrides: Overrides = {}) {
  const { response } = await fetchApp(new Request(origin + path, { redirect: 'manual', ...init }), overrides)
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, headers: response.headers, text: await response.text() }
}

describe('a document for signed requests only', () => {
  const { config } = context()
  const strict = { config: { ...config, federation: { ...config.federation, signedOnly: true } } }
  let [alice, id]: [TestAccount | null, string] = [null, '']
  beforeAll(async () => {
    alice = await given.account()
    id = (await given.status({ by: alice, text: 'for those who sign' })).id
  })

  const person = '/users/NAME'
  const spellings = [
    person,
    `${person}.json`,
    `${person}/`,
    `${person}/.json`,
    `//users/NAME`,
    `/users//NAME`,
    '/Users/NAME',
    `/users/%4EAME`,
    `${person}?format=json`,
    `${person};.json`,
    `${person}%2Ejson`,
    `/x/..${person}`,
    '/@NAME',
    '/@NAME.json',
    '/@NAME/',
    '/@NAME@fieldfare.test',
    '/@NAME@fieldfare.test.json',
    '/%40NAME',
    '/outbox',
    '/outbox?page=true',
    '/outbox.json',
    '/outbox/',
    '/followers',
    '/following.json',
    '/collections/featured',
    '/collections/featured.json',
    '/collections/tags',
    '/collections/tags/',
    '/featured_collections',
    '/followers_synchronization',
    '/followers_synchronization.json',
    '/statuses/ID',
    '/statuses/ID.json',
    '/statuses/ID/',
    '/statuses/0ID',
    '/statuses/ID/activity',
    '/statuses/ID/activity.json',
    '/statuses/ID/replies',
    '/statuses/ID/likes',
    '/statuses/ID/shares/',
    '/@NAME/ID',
    '/@NAME/ID.json',
    '/@NAME/ID/',
    '/@NAME/ID/activity',
  ].map((path) => (/^\/(?:\/|@|%|x|users|Users)/.test(path) ? path : person + path))

  const accepts = [
    'application/activity+json',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'application/json',
    'APPLICATION/ACTIVITY+JSON',
    '*/*',
    'text/html;q=0.1, application/activity+json',
  ]

  const asked = async (overrides: Overrides) => {
    const answered: string[] = []
    for (const spelling of new Set(spellings))
      for (const accept of accepts) {
        const path = spelling.replace('NAME', alice?.username ?? '').replace('ID', id)
        const headers = { accept, 'cf-connecting-ip': freshIp() }
        const answer = await call(path, { headers }, overrides)
        if (answer.status === 200 && answer.type.includes('json')) answered.push(spelling)
      }
    return new Set(answered)
  }

  it('a document for signed requests only is not readable in any spelling of its address and its Accept header [T-022]', async () => {
    expect([...(await asked(strict))]).toEqual([])
  })

  it('a document for signed requests only is readable in many where no signature is required, as a counter-check', async () => {
    expect((await asked({})).size).toBeGreaterThan(20)
  })

  it('a document for signed requests only is not cached for the next reader [T-023]', async () => {
    const path = `/users/${alice?.username ?? ''}`
    const answer = await call(path, { headers: { accept: 'application/activity+json' } }, strict)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([401, 'private, no-store'])
  })
})

describe('a limit', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it('a limit counts all spellings of a path together [T-024]', async () => {
    const headers = { ...form, 'cf-connecting-ip': freshIp() }
    const body = new URLSearchParams({
      client_name: 'x',
      redirect_uris: 'https://client.test/back',
    }).toString()
    const register = async (path: string) => (await call(path, { method: 'POST', headers, body })).status
    const spellings = [
      '/api/v1/apps',
      '/api/v1/apps/',
      '/api/v1/apps.json',
      '/api/v1/%61pps',
      '/api/v1/apps?x=1',
    ]
    const statuses: number[] = []
    for (const path of [...spellings, ...spellings]) statuses.push(await register(path))
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.slice(5)).not.toContain(200)
    for (const path of ['/api/v1//apps', '//api/v1/apps', '/API/v1/apps', '/api/v1/apps/.json'])
      expect([path, await register(path)]).not.toEqual([path, 200])
  })

  it.each([
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'client-ip',
    'true-client-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'fastly-client-ip',
    'cf-connecting-ipv6',
    'x-originating-ip',
  ])(
    'a limit counts the network of the connection, whatever the request claims in %s [T-025]',
    async (header) => {
      const [ip, { overrides, counts }] = [freshAddress(), countingGate()]
      for (const said of ['192.0.2.1', 'for=192.0.2.2', '127.0.0.1'])
        await call('/api/v2/instance', { headers: { 'cf-connecting-ip': ip, [header]: said } }, overrides)
      expect(Object.fromEntries(counts)).toEqual({ [`network ${ip}`]: 3, [`caller ${ip}`]: 3 })
    },
  )
})

describe('the name of the server', () => {
  it.each([
    'x-forwarded-host',
    'x-host',
    'x-original-host',
    'forwarded',
    'x-forwarded-server',
    'x-original-url',
  ])(
    'the name of the server is the operator’s setting, in mails and pages, whatever %s contains',
    async (header) => {
      const [mailer, alice] = [fakeMailer(), await givenMember()]
      const headers = { [header]: header === 'forwarded' ? 'host=evil.example' : 'evil.example' }
      const page = await new Browser(mailer.overrides).fill(
        '/auth/password/new',
        { email: alice.email },
        { headers },
      )
      const [mail] = await mailer.deliver()
      expect(linkIn(mail)).toContain('reset_password_token')
      expect(page.html + (mail?.text ?? '') + (mail?.html ?? '')).not.toContain('evil.example')
      const profile = await call(`/@${alice.username}`, { headers: { ...headers, accept: 'text/html' } })
      expect([profile.status, profile.text.includes('evil.example')]).toEqual([200, false])
    },
  )

  it('refuses another host name of the platform, on every surface', async () => {
    const { username } = await given.account()
    for (const [path, accept] of [
      [`/@${username}`, 'text/html'],
      [`/users/${username}`, 'application/activity+json'],
      [`/.well-known/webfinger?resource=acct:${username}@fieldfare.test`, 'application/jrd+json'],
      ['/.well-known/nodeinfo', 'application/json'],
      ['/api/v2/instance', 'application/json'],
    ] as const) {
      const request = new Request(`https://other-name.example${path}`, { headers: { accept } })
      const { response } = await fetchApp(request)
      expect([path, response.status]).toEqual([path, 503])
      expect(await response.text()).toContain('this request came to other-name.example')
    }
  })
})
