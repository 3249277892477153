import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { nameOrTag } from '../../src/streaming/connection-request'
import { given } from '../support/given'
import {
  connectionOf,
  EventSourceClient,
  eventSource,
  message,
  openStreamSocket,
  requestStream,
  TestSocket,
} from '../support/streaming'
import { context, fetchApp } from '../support/test-app'

const origin = 'https://fieldfare.test/api/v1/streaming'

async function refusal(response: Response) {
  return { status: response.status, body: await response.json() }
}

describe('the health of the streams', () => {
  it('the health endpoint of the streams is public [T-716]', async () => {
    const { response } = await fetchApp(new Request(`${origin}/health`))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('OK')
  })
})

describe('a connection', () => {
  /** Each way to open one, as the answer it gets. */
  const doors = [
    ['socket', (token: string | null) => requestStream(token, { stream: 'user' })],
    ['event source', async (token: string | null) => (await eventSource(token, '/user')).response],
  ] as const

  describe.each(doors)('by a %s', (_, open) => {
    it('requires a token [T-717]', async () => {
      const missing = { status: 401, body: { error: 'Missing access token' } }
      expect(await refusal(await open(null))).toEqual(missing)
    })

    it('requires a known token [T-718]', async () => {
      const invalid = { status: 401, body: { error: 'Invalid access token' } }
      expect(await refusal(await open('unknown'))).toEqual(invalid)
    })

    it('requires a user token', async () => {
      expect((await open(await given.token({ scopes: 'read' }))).status).toBe(401)
    })

    it('requires a token that can read statuses or notifications [T-719]', async () => {
      const { token } = await given.account({ scopes: 'write profile read:accounts' })
      const narrow = { status: 401, body: { error: 'Access token does not have the required scopes' } }
      expect(await refusal(await open(token))).toEqual(narrow)
    })

    it.each([
      ['suspended', () => given.account({ suspendedAt: new Date(0) })],
      ['disabled', () => given.account({ user: { disabledAt: new Date(0) } })],
      ['yet to be approved', () => given.account({ user: { approved: false } })],
      ['yet to be confirmed', () => given.account({ user: { confirmedAt: null } })],
    ])('a connection is refused to users who are %s [T-720]', async (_state, make) => {
      expect((await open((await make()).token)).status).toBe(401)
    })

    it('a connection is open to scripts of any page, refused or not', async () => {
      expect((await open(null)).headers.get('access-control-allow-origin')).toBe('*')
    })

    it('a connection is logged with the id of its request', async () => {
      expect((await open(null)).headers.get('x-request-id')).not.toBeNull()
    })
  })

  it('counts against the flood limit', async () => {
    const { token } = await given.account()
    const throttle = { ...context().throttle, admits: async () => false }
    const request = new Request(`${origin}/user`, { headers: { Authorization: `Bearer ${token}` } })
    const { response } = await fetchApp(request, { throttle })
    expect(await refusal(response)).toEqual({ status: 429, body: { error: 'Too many requests' } })
  })

  it('stores nothing in its object, because its sockets name the account', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await runInDurableObject(connectionOf(alice), (_, state) => {
      expect([...state.storage.kv.list()]).toEqual([])
      const [id, sockets] = [{}, state.getWebSockets()]
      const woken = { id, getWebSockets: () => sockets, getTags: (one: WebSocket) => state.getTags(one) }
      expect(nameOrTag(woken)).toBe(String(alice.id))
    })
    socket.close()
  })

  it('replaces the oldest where an account has very many', async () => {
    const alice = await given.account()
    const source = await eventSource(alice, '/user')
    const open: TestSocket[] = []
    for (let count = 0; count < 60; count += 1) open.push(await openStreamSocket(alice, { stream: 'user' }))
    expect([await source.line(), await source.line()]).toEqual([':)', null])
    await evictDurableObject(connectionOf(alice))
    open.push(await openStreamSocket(alice, { stream: 'user' }))
    expect(await open[0]?.closed).toEqual({ code: 1008, reason: 'Too many connections' })
    await connectionOf(alice).deliver([message(['user'])])
    for (const one of open.slice(1)) {
      expect(await one.rest()).toHaveLength(1)
      one.close()
    }
  })
})

it.each(['', '/user', '/hashtag/local'])('a page can ask whether it may send a token to %j', async (path) => {
  const headers = {
    Origin: 'https://page.test',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'authorization',
  }
  const { response } = await fetchApp(new Request(`${origin}${path}`, { method: 'OPTIONS', headers }))
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(response.headers.get('access-control-allow-headers')).toBe('authorization')
})

describe('a socket', () => {
  it('a socket requires an upgrade [T-721]', async () => {
    const { token } = await given.account()
    const { response } = await fetchApp(
      new Request(origin, { headers: { Authorization: `Bearer ${token}` } }),
    )
    expect(await refusal(response)).toEqual({
      status: 404,
      body: { error: 'The page you are looking for is not here' },
    })
  })

  it('opens with a slash at the end, as some clients write it', async () => {
    const { token } = await given.account()
    const open = async (upgrade: string, method = 'GET') => {
      const headers = { Authorization: `Bearer ${token}`, UPGRADE: upgrade }
      return (await fetchApp(new Request(`${origin}/?stream=user`, { method, headers }))).response
    }
    const { status, webSocket } = await open('WebSocket')
    expect(status).toBe(101)
    if (webSocket !== null) new TestSocket(webSocket).close()
    expect((await open('h2c')).status).toBe(404)
    expect((await open('websocket', 'HEAD')).status).toBe(404)
  })

  it.each([
    ['a header', (token: string) => [{}, { Authorization: `Bearer ${token}` }] as const],
    ['a parameter', (token: string) => [{ access_token: token }, {}] as const],
    ['a protocol', (token: string) => [{}, { 'Sec-WebSocket-Protocol': token }] as const],
  ])('reads the token as %s', async (_, carry) => {
    const alice = await given.account()
    const [query, headers] = carry(alice.token)
    const response = await requestStream(null, { stream: 'user', ...query }, headers)
    expect(response.status).toBe(101)
    if (response.webSocket === null) throw new Error('No socket')
    const socket = new TestSocket(response.webSocket)
    await connectionOf(alice).deliver([message(['user'], { payload: '7' })])
    expect(await socket.next()).toMatchObject({ payload: '7' })
    socket.close()
  })

  it('accepts the protocol a browser offers, because the browser would close it otherwise', async () => {
    const { token } = await given.account()
    const offered = await requestStream(null, {}, { 'Sec-WebSocket-Protocol': token })
    expect(offered.headers.get('sec-websocket-protocol')).toBe(token)
    const both = await requestStream(token, {}, { 'Sec-WebSocket-Protocol': 'mastodon, other' })
    expect([both.status, both.headers.get('sec-websocket-protocol')]).toEqual([101, 'mastodon'])
    expect((await requestStream(token)).headers.has('sec-websocket-protocol')).toBe(false)
  })

  it('a socket is refused where the protocol is not a known token', async () => {
    expect((await requestStream(null, {}, { 'Sec-WebSocket-Protocol': 'nothing' })).status).toBe(401)
  })
})

describe('an event source', () => {
  it.each([
    ['takes the token as a parameter, for browsers let set no header', '/user'],
    ['is found with a slash at the end', '/user/'],
  ])('an event source: %s', async (_what, path) => {
    const { token } = await given.account()
    const { response } = await fetchApp(new Request(`${origin}${path}?access_token=${token}`))
    expect(response.status).toBe(200)
    const client = new EventSourceClient(response)
    expect(await client.line()).toBe(':)')
    await client.leave()
  })

  it('answers 404 to paths without a stream [T-722]', async () => {
    const { token } = await given.account()
    for (const path of ['/nowhere', '/public/media', '/list/12', '/hashtag/local/cats', '/../streaming/x'])
      expect(await refusal((await eventSource(token, path)).response), path).toEqual({
        status: 400,
        body: { error: 'Unknown channel requested' },
      })
  })

  it('requires a name for hashtags and lists [T-723]', async () => {
    const { token } = await given.account()
    const tag = { status: 400, body: { error: 'Missing tag name parameter' } }
    const list = { status: 400, body: { error: 'Missing list name parameter' } }
    expect(await refusal((await eventSource(token, '/hashtag')).response)).toEqual(tag)
    expect(await refusal((await eventSource(token, '/hashtag/local?tag=%23')).response)).toEqual(tag)
    expect(await refusal((await eventSource(token, '/list')).response)).toEqual(list)
  })
})
