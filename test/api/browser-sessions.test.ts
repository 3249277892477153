import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { roles, sessions, users } from '../../src/db/schema'
import { sessionSeconds } from '../../src/domain/sessions/web-session'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { checkEach } from '../support/check-each'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { moderate } from '../support/moderate'
import { callFromPage, csrfTokenOf, ownOrigin } from '../support/page-calls'
import { clock, context } from '../support/test-app'

const who = '/api/v1/accounts/verify_credentials'
const statuses = '/api/v1/statuses'
const noToken = { error: 'This method requires an access token' }

/** A signed-in browser, and a followers-only post of its account that only the account may read by this way. */
async function reader() {
  const { member, browser } = await signedIn()
  const { id } = await given.status({ by: member, text: 'for friends', visibility: 'private' })
  return { member, browser, post: `${statuses}/${id}` }
}

describe('the session of a browser, used by a page of this server', () => {
  it('a browser session reads as its account, in one round trip', async () => {
    const { member, browser, post } = await reader()
    const account = await callFromPage(browser, 'GET', who)
    expect(account).toMatchObject({ status: 200, body: { id: String(member.id) } })
    expect(account.costs.trips).toBe(1)
    const byToken = await as(member).get(post)
    const shown = await callFromPage(browser, 'GET', post)
    expect(shown).toMatchObject({ status: 200, body: { content: '<p>for friends</p>' } })
    expect(shown.costs.trips).toBe(byToken.costs.trips)
  })

  it('a browser session posts, follows and uploads with the CSRF token of its pages', async () => {
    const [{ member, browser }, other] = [await reader(), await given.account()]
    const posted = await callFromPage(browser, 'POST', statuses, { body: { status: 'From a page' } })
    expect(posted).toMatchObject({
      status: 200,
      body: { account: { id: String(member.id) } },
    })
    const followed = await callFromPage(browser, 'POST', `/api/v1/accounts/${other.id}/follow`)
    expect(followed).toMatchObject({ status: 200, body: { following: true } })
    const form = new FormData()
    form.set('description', 'no file')
    const uploaded = await callFromPage(browser, 'POST', '/api/v2/media', { body: form })
    expect(uploaded.status).toBe(422)
  })

  it('a browser session reads without Sec-Fetch-Site if it sends a CSRF token', async () => {
    const { browser, post } = await reader()
    const token = await csrfTokenOf(browser)
    const headers = { 'sec-fetch-site': undefined, 'x-csrf-token': token }
    expect((await callFromPage(browser, 'GET', post, { headers })).status).toBe(200)
    const without = { 'sec-fetch-site': undefined }
    expect((await callFromPage(browser, 'GET', post, { headers: without })).status).toBe(404)
  })

  it('a browser session cannot use administration endpoints or those of a token’s device', async () => {
    const { browser } = await signedIn({ user: { roleId: 3 } })
    const closed = endpoints.filter(
      ({ auth }) => auth.kind === 'staff' || auth.scope === 'push' || auth.scope === 'crypto',
    )
    expect(closed.length).toBeGreaterThan(100)
    await checkEach(
      closed,
      { name: ({ method, path }) => `${method} ${path}`, atOnce: 8 },
      async ({ method, path }) => {
        const { status, body } = await callFromPage(browser, method, path.replaceAll(/:\w+/g, '1'))
        expect({ status, body }).toEqual({
          status: 403,
          body: { error: 'This action is outside the authorized scopes' },
        })
      },
    )
  })

  it('a browser session does not act as an app', async () => {
    const { browser } = await signedIn({ user: { confirmedAt: null } })
    const calls = [
      await callFromPage(browser, 'GET', '/api/v1/apps/verify_credentials'),
      await callFromPage(browser, 'POST', '/api/v1/emails/confirmations', { body: {} }),
    ]
    for (const { status, body } of calls) expect({ status, body }).toEqual({ status: 403, body: noToken })
  })
})

/** Headers of requests that no page of this server makes. */
const elsewhere = {
  'another site': { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  'another host of the same site': { origin: 'https://blog.fieldfare.test', 'sec-fetch-site': 'same-site' },
  'another origin that names no site': {
    origin: 'https://elsewhere.example',
    'sec-fetch-site': undefined,
  },
  'this host without TLS': { origin: 'http://fieldfare.test', 'sec-fetch-site': 'cross-site' },
  'a sandboxed document': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'a document of no origin that claims this site': { origin: 'null' },
  'a link on another site': { origin: undefined, 'sec-fetch-site': 'cross-site' },
  'the address bar': { origin: undefined, 'sec-fetch-site': 'none' },
  'a client that names neither origin nor site': { origin: undefined, 'sec-fetch-site': undefined },
}

describe.each(Object.entries(elsewhere))('a session cookie sent by %s', (_, headers) => {
  it('reads what a visitor reads, uncached', async () => {
    const { member, browser, post } = await reader()
    const open = await given.status({ by: member, text: 'for all' })
    expect((await callFromPage(browser, 'GET', post, { headers })).status).toBe(404)
    expect(await callFromPage(browser, 'GET', who, { headers })).toMatchObject({ status: 401, body: noToken })
    const shown = await callFromPage(browser, 'GET', `${statuses}/${open.id}`, { headers })
    expect(shown.status).toBe(200)
    expect(shown.body).not.toHaveProperty('favourited')
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
    expect(shown.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('writes nothing, even with the CSRF token', async () => {
    const { member, browser } = await reader()
    const body = { status: 'Forged' }
    const bare = { ...headers, 'x-csrf-token': undefined }
    for (const sent of [headers, bare]) {
      const answer = await callFromPage(browser, 'POST', statuses, { body, headers: sent })
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'This request was not made by a page of this server' },
      })
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const { body: list } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
    expect(list).toHaveLength(1)
  })
})

describe('a write with a session cookie', () => {
  it('a write with a session cookie is refused without the CSRF token of its session in the header, also to endpoints for anyone', async () => {
    const [{ browser }, other] = [await reader(), await signedIn()]
    const wrong = [undefined, '', 'made up', await csrfTokenOf(other.browser)]
    for (const token of wrong) {
      const headers = { 'x-csrf-token': token }
      const body = { status: 'Forged', csrf_token: await csrfTokenOf(browser) }
      expect((await callFromPage(browser, 'POST', statuses, { body, headers })).status).toBe(403)
    }
    const app = { client_name: 'App', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    const refused = await callFromPage(browser, 'POST', '/api/v1/apps', { body: app, headers: foreign })
    expect(refused.status).toBe(403)
    const cookieless = await callFromPage(browser, 'POST', '/api/v1/apps', {
      body: app,
      headers: { ...foreign, cookie: undefined },
    })
    expect(cookieless.status).toBe(200)
  })

  it('a write with a session cookie is refused if it asks for a socket as well', async () => {
    const { browser } = await reader()
    const headers = { 'x-csrf-token': undefined, upgrade: 'websocket' }
    const answer = await callFromPage(browser, 'POST', statuses, { body: { status: 'Forged' }, headers })
    expect(answer.status).toBe(403)
  })
})

describe('a request with a token and a session cookie', () => {
  it.each([
    ['header', (token: string) => ({ headers: { authorization: `Bearer ${token}` }, query: '', body: {} })],
    ['query', (token: string) => ({ headers: {}, query: `?access_token=${token}`, body: {} })],
    ['body', (token: string) => ({ headers: {}, query: '', body: { access_token: token } })],
  ] as const)(
    'a request with a token in the %s and a session cookie acts for the token, from every origin',
    async (_, give) => {
      const [{ browser }, other] = [await reader(), await given.account()]
      const { headers, query, body } = give(other.token)
      for (const from of [{}, elsewhere['another site']]) {
        const sent = { headers: { ...headers, ...from }, body: { status: 'By the token', ...body } }
        const answer = await callFromPage(browser, 'POST', `${statuses}${query}`, sent)
        expect(answer).toMatchObject({ status: 200, body: { account: { id: String(other.id) } } })
        expect(answer.headers.get('cache-control')).toBe('private, no-store')
      }
    },
  )

  it('a request with a token and a session cookie is refused for an unknown token, and not tried with the session', async () => {
    const { browser } = await reader()
    const headers = { authorization: 'Bearer unknown' }
    expect((await callFromPage(browser, 'GET', who, { headers })).status).toBe(401)
  })
})

describe('a session is refused by the API', () => {
  const refusals: readonly (readonly [string, () => Promise<Browser>, number, string])[] = [
    [
      'after signing out',
      async () => {
        const { browser } = await signedIn()
        const left = new Browser()
        for (const [name, value] of browser.jar) left.plant(name, value)
        await browser.fill('/auth/sign_out', {})
        return left
      },
      401,
      'The access token is invalid',
    ],
    [
      'once it has expired',
      async () => {
        const { member, browser } = await signedIn()
        const expiresAt = clock.now()
        await context().db.update(sessions).set({ expiresAt }).where(eq(sessions.accountId, member.id))
        return browser
      },
      401,
      'The access token is invalid',
    ],
    [
      'with a cookie that this server did not sign',
      async () => {
        const { browser } = await signedIn()
        const forged = new Browser()
        for (const [name, value] of browser.jar) forged.plant(name, `x${value}`)
        return forged
      },
      401,
      noToken.error,
    ],
    [
      'of a suspended account',
      async () => {
        const { member, browser } = await signedIn()
        await moderate(member, 'suspend')
        return browser
      },
      403,
      'Your login is currently disabled',
    ],
    [
      'of a disabled account',
      async () => (await signedIn({ user: { disabledAt: clock.now() } })).browser,
      403,
      'Your login is currently disabled',
    ],
    [
      'of an account without a confirmed address',
      async () => (await signedIn({ user: { confirmedAt: null } })).browser,
      403,
      'Your login is missing a confirmed e-mail address',
    ],
    [
      'of an account that waits for approval',
      async () => (await signedIn({ user: { approved: false } })).browser,
      403,
      'Your login is currently pending approval',
    ],
    [
      'of an account that has to set up a second factor first',
      async () => {
        await context().db.update(roles).set({ requireTwoFactor: true }).where(eq(roles.id, 2))
        return (await signedIn({ user: { roleId: 2 } })).browser
      },
      403,
      'Your role requires two-factor authentication: set it up first',
    ],
  ]

  it.each(refusals)('refuses a session %s', async (_, make, status, error) => {
    const browser = await make()
    const read = await callFromPage(browser, 'GET', '/api/v1/timelines/home')
    const written = await callFromPage(browser, 'POST', statuses, { body: { status: 'No' } })
    for (const answer of [read, written]) expect(answer).toMatchObject({ status, body: { error } })
  })

  it('refuses a session that waits for its second factor', async () => {
    const { browser } = await signedIn()
    const waiting = new Browser()
    waiting.plant('__Host-sign_in', browser.jar.get('__Host-session') ?? '')
    expect((await callFromPage(waiting, 'GET', '/api/v1/timelines/home')).status).toBe(401)
  })
})

it('responses of the API to a session are never cached, and differ from those for everybody', async () => {
  const { browser } = await signedIn()
  const path = '/api/v1/timelines/public?local=true'
  const plain = { headers: { cookie: undefined } }
  const first = await callFromPage(browser, 'GET', path, plain)
  const mine = await callFromPage(browser, 'GET', path)
  const cached = await callFromPage(browser, 'GET', path, plain)
  expect(mine.headers.get('cache-control')).toBe('private, no-store')
  expect(mine.headers.get('etag')).toBeNull()
  expect(mine.costs.trips).toBe(1)
  expect(first.headers.get('vary')).toContain('Cookie')
  expect(cached.costs.trips).toBe(0)
  expect(cached.body).toEqual(first.body)
  expect(JSON.stringify(cached.body)).not.toContain('favourited')
})

it('a session counts as active, and is kept as long as its pages are used', async () => {
  const { member, browser } = await signedIn({ user: { lastActiveAt: new Date(0) } })
  clock.advance(20 * 86_400_000)
  expect((await callFromPage(browser, 'GET', who)).status).toBe(200)
  const [user] = await context().db.select().from(users).where(eq(users.accountId, member.id))
  expect(user?.lastActiveAt).toEqual(clock.now())
  clock.advance(sessionSeconds * 1000 - 20 * 86_400_000)
  expect((await callFromPage(browser, 'GET', who)).status).toBe(401)
})

it('the own origin alone counts, also where it is named twice', async () => {
  const { browser, post } = await reader()
  const headers = { origin: `${ownOrigin}, ${ownOrigin}`, 'sec-fetch-site': 'same-origin' }
  expect((await callFromPage(browser, 'GET', post, { headers })).status).toBe(404)
})
