import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sessions } from '../../src/db/schema'
import { as } from '../support/as'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { moderate } from '../support/moderate'
import { cookiesOf, ownOrigin } from '../support/page-calls'
import { requestStream, TestSocket } from '../support/streaming'
import { context, fetchApp, settleLateWork } from '../support/test-app'

/** A signed-in browser, and what its page opens a socket with. */
async function page() {
  const { member, browser } = await signedIn()
  const open = (headers: Readonly<Record<string, string>> = { origin: ownOrigin }) =>
    requestStream(null, { stream: 'user' }, { cookie: cookiesOf(browser), ...headers })
  const socket = async () => {
    const { status, webSocket } = await open()
    if (webSocket === null) throw new Error(`No socket was opened: ${status}`)
    return new TestSocket(webSocket)
  }
  return { member, browser, open, socket }
}

describe('a socket opened by a page with the session of its browser', () => {
  it('receives events of its account', async () => {
    const { member, socket } = await page()
    const opened = await socket()
    await as(member).post('/api/v1/statuses', { status: 'Live' })
    expect((await opened.next()).event).toBe('update')
    opened.close()
  })

  it.each([
    ['another origin', { origin: 'https://elsewhere.example' }],
    ['another host of the same site', { origin: 'https://blog.fieldfare.test' }],
    ['a document without origin', { origin: 'null' }],
    ['a client that names no origin', {}],
    ['a client that names only the site', { 'sec-fetch-site': 'same-origin' }],
  ] as const)('a socket with a browser session is refused to %s', async (_, headers) => {
    const { open } = await page()
    const answer = await open(headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('a socket with a token and a browser session uses the token', async () => {
    const [{ open }, other] = [await page(), await given.account()]
    const { webSocket } = await open({ origin: ownOrigin, authorization: `Bearer ${other.token}` })
    if (webSocket === null) throw new Error('No socket was opened')
    const socket = new TestSocket(webSocket)
    await as(other).post('/api/v1/statuses', { status: 'Mine' })
    expect((await socket.next()).event).toBe('update')
    socket.close()
    const dead = await open({ origin: ownOrigin, authorization: 'Bearer unknown' })
    expect(dead.status).toBe(401)
  })

  it.each([
    ['suspended', { suspendedAt: new Date(0) }],
    ['disabled', { user: { disabledAt: new Date(0) } }],
    ['unconfirmed', { user: { confirmedAt: null } }],
    ['pending', { user: { approved: false } }],
  ])('a socket with a browser session is refused to a %s account', async (_, options) => {
    const { browser } = await signedIn(options)
    const answer = await requestStream(
      null,
      { stream: 'user' },
      { cookie: cookiesOf(browser), origin: ownOrigin },
    )
    expect(answer.status).toBe(401)
  })

  it('a socket closes when its browser signs out, and those of other browsers stay', async () => {
    const { member, browser, socket } = await page()
    const [gone, byToken] = [await socket(), await requestStream(member, { stream: 'user' })]
    await browser.fill('/auth/sign_out', {})
    await settleLateWork()
    expect(await gone.closed).toEqual({ code: 1000, reason: 'The session has ended' })
    if (byToken.webSocket === null) throw new Error('No socket was opened')
    const kept = new TestSocket(byToken.webSocket)
    await as(member).post('/api/v1/statuses', { status: 'Still here' })
    expect((await kept.next()).event).toBe('update')
    kept.close()
  })

  it('a socket closes when the account is suspended', async () => {
    const { member, socket } = await page()
    const opened = await socket()
    await moderate(member, 'suspend')
    await settleLateWork()
    expect((await opened.closed).reason).toBe('The session has ended')
  })

  it('a socket with a browser session is found to have ended when its rights are checked again', async () => {
    const { member, socket } = await page()
    const opened = await socket()
    const ctx = context()
    await ctx.db.delete(sessions).where(eq(sessions.accountId, member.id))
    ctx.streams.publish({ kind: 'standing.changed', accountId: member.id }, [
      { accountId: member.id, channel: '' },
    ])
    await settleLateWork()
    expect((await opened.closed).reason).toBe('The session has ended')
  })
})

it('an event source is opened by a page of this server, and by no other', async () => {
  const { browser } = await page()
  const cookie = cookiesOf(browser)
  const ask = async (headers: Readonly<Record<string, string>>) => {
    const request = new Request(`${ownOrigin}/api/v1/streaming/user`, { method: 'HEAD', headers })
    return (await fetchApp(request)).response
  }
  const opened = await ask({ cookie, 'sec-fetch-site': 'same-origin' })
  expect(opened.status).toBe(200)
  expect(opened.headers.get('cache-control')).toBe('private, no-store')
  expect((await ask({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(401)
  expect((await ask({ cookie, 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(401)
  expect((await ask({ cookie })).status).toBe(401)
})
