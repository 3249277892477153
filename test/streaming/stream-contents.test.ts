import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { users } from '../../src/db/schema'
import { revokeApplication } from '../../src/domain/sessions/authorized-applications'
import { streamObjects } from '../../src/wire'
import { anonymous, as } from '../support/as'
import { freshName, given, type TestAccount } from '../support/given'
import { announced, removeAnnounced } from '../support/given-announcement'
import { direct } from '../support/given-direct'
import { givenFilter } from '../support/given-filter'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { followed } from '../support/given-remote'
import { type Client, exchange, givenCode, registerClient, tokenIn } from '../support/oauth'
import { eventSource, type Frame, openStreamSocket, presenceOf, type TestSocket } from '../support/streaming'
import { context, settleLateWork, useStreamTargets } from '../support/test-app'

/** From the call that changes something to the sockets of those who listen, with every part as it is deployed. */

beforeEach(() => useStreamTargets(streamObjects(env)))

const Named = z.looseObject({ id: z.string() })

async function post(
  by: TestAccount,
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return Named.parse((await as(by).post('/api/v1/statuses', { status: text, ...more })).body).id
}

/** Each event with the stream it came on and the id it is about. */
function brief(frames: readonly Frame[]) {
  return frames.map(({ stream, event, payload = '' }) => [
    stream?.join(' '),
    event,
    payload.startsWith('{') ? Named.parse(JSON.parse(payload)).id : payload,
  ])
}

async function receivedBy(listening: TestSocket) {
  return brief(await listening.rest())
}

/** An author and a follower. */
async function pair() {
  const [alice, bob] = [await given.account(), await given.account()]
  await relation.follow(alice, bob)
  return { alice, bob }
}

describe('a home stream', () => {
  it('a home stream has a new status, its edit and its deletion [T-740]', async () => {
    const { alice, bob } = await pair()
    const connection = await openStreamSocket(alice, { stream: 'user' })
    const id = await post(bob, 'a wader')
    await as(bob).put(`/api/v1/statuses/${id}`, { status: 'a heron' })
    await as(bob).delete(`/api/v1/statuses/${id}`)
    expect(await receivedBy(connection)).toEqual([
      ['user', 'update', id],
      ['user', 'status.update', id],
      ['user', 'delete', id],
    ])
    connection.close()
  })

  it('shows a status as its subscriber reads it', async () => {
    const { alice, bob } = await pair()
    const connection = await openStreamSocket(alice, { stream: 'user' })
    const id = await post(bob, 'a wader')
    const { payload = '' } = await connection.next()
    expect(JSON.parse(payload)).toEqual((await as(alice).get(`/api/v1/statuses/${id}`)).body)
    connection.close()
  })

  it('a home stream has notifications, on both streams with them [T-741]', async () => {
    const { alice, bob } = await pair()
    const connection = await openStreamSocket(alice, { stream: 'user:notification' })
    await connection.subscribe({ stream: 'user' })
    const id = await post(alice, 'look')
    await as(bob).post(`/api/v1/statuses/${id}/favourite`)
    const notices = (await connection.rest()).filter(({ event }) => event === 'notification')
    expect(notices.map(({ stream }) => stream)).toEqual([['user'], ['user:notification']])
    expect(JSON.parse(notices[0]?.payload ?? '')).toMatchObject({ type: 'favourite', status: { id } })
    connection.close()
  })

  it('a home stream has a change of filters once, without payload, and applies it to later events [T-742]', async () => {
    const { alice, bob } = await pair()
    const [socket, other] = [
      await openStreamSocket(alice, { stream: 'user' }),
      await openStreamSocket(alice, { stream: 'user' }),
    ]
    const source = await eventSource(alice, '/user')
    await givenFilter(alice, {
      context: ['home'],
      keywords_attributes: [{ keyword: 'gull' }, { keyword: 'tern' }],
    })
    for (const one of [socket, other])
      expect(await one.next()).toEqual({ stream: ['user'], event: 'filters_changed' })
    expect(await source.lines(4)).toEqual([':)', 'event: filters_changed', 'data: {}', ''])
    await post(bob, 'a tern')
    const { payload = '' } = await socket.next()
    expect(JSON.parse(payload)).toMatchObject({ filtered: [{ keyword_matches: ['tern'] }] })
    await source.leave()
    socket.close()
    other.close()
  })

  it('a home stream has announcements, reactions to them and their end [T-743]', async () => {
    const alice = await given.account()
    const connection = await openStreamSocket(alice, { stream: 'user' })
    const id = await announced('Low tide at noon')
    await as(await given.account()).put(`/api/v1/announcements/${id}/reactions/👍`)
    await removeAnnounced(id)
    const frames = await connection.rest()
    expect(frames.map(({ event }) => event)).toEqual([
      'announcement',
      'announcement.reaction',
      'announcement.delete',
    ])
    expect(JSON.parse(frames[1]?.payload ?? '')).toEqual({ name: '👍', count: 1, announcement_id: id })
    expect(frames[2]?.payload).toBe(id)
    connection.close()
  })
})

describe('list, direct and shared streams', () => {
  it('streams of direct posts have conversations [T-744]', async () => {
    const { alice, bob } = await pair()
    const connection = await openStreamSocket(alice, { stream: 'direct' })
    const { id } = await direct(bob, [alice])
    const { event, payload = '' } = await connection.next()
    expect([event, JSON.parse(payload)]).toMatchObject([
      'conversation',
      { unread: true, last_status: { id } },
    ])
    connection.close()
  })

  it('streams of lists have posts of their members', async () => {
    const { alice, bob } = await pair()
    const list = await storedList({ of: alice, members: [bob] })
    const connection = await openStreamSocket(alice, { stream: 'list', list })
    const id = await post(bob, 'a wader')
    await post(alice, 'mine')
    expect(await receivedBy(connection)).toEqual([[`list ${list}`, 'update', id]])
    connection.close()
  })

  it('shared streams reach every subscriber, by the name each requested', async () => {
    const tag = freshName('Estuary')
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const connection = await openStreamSocket(alice, { stream: 'public:local' })
    await connection.subscribe({ stream: 'hashtag', tag: tag.toLowerCase() })
    const other = await openStreamSocket(bob, { stream: 'hashtag:local', tag })
    const id = await post(carol, `at the #${tag}`)
    expect((await receivedBy(connection)).toSorted()).toEqual([
      [`hashtag ${tag.toLowerCase()}`, 'update', id],
      ['public:local', 'update', id],
    ])
    expect(await receivedBy(other)).toEqual([[`hashtag:local ${tag}`, 'update', id]])
    connection.close()
    other.close()
  })

  it.each([
    [
      'whom they block',
      (me: TestAccount, them: TestAccount) => as(me).post(`/api/v1/accounts/${them.id}/block`),
    ],
    [
      'whom they mute',
      (me: TestAccount, them: TestAccount) => as(me).post(`/api/v1/accounts/${them.id}/mute`),
    ],
    [
      'who blocks them',
      (me: TestAccount, them: TestAccount) => as(them).post(`/api/v1/accounts/${me.id}/block`),
    ],
  ])(
    'shared streams hide from a subscriber the posts of accounts %s, from then on [T-745]',
    async (_, part) => {
      const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
      const connection = await openStreamSocket(alice, { stream: 'public' })
      const before = await post(bob, 'before')
      await part(alice, bob)
      await post(bob, 'after')
      const other = await post(carol, 'somebody else')
      expect((await receivedBy(connection)).map(([, , id]) => id)).toEqual([before, other])
      connection.close()
    },
  )

  it('shared streams hide from a subscriber the posts of blocked servers, from then on', async () => {
    const [alice, bob, peer] = [await given.account(), await given.account(), await given.peer()]
    await followed(bob, peer)
    const [connection, other] = [
      await openStreamSocket(alice, { stream: 'public' }),
      await openStreamSocket(bob, { stream: 'public:remote' }),
    ]
    await peer.send(peer.create(peer.note()))
    await as(alice).post('/api/v1/domain_blocks', { domain: peer.host })
    await peer.send(peer.create(peer.note()))
    expect(await connection.rest()).toHaveLength(1)
    expect(await other.rest()).toHaveLength(2)
    connection.close()
    other.close()
  })

  it('shared streams hide from a subscriber unchosen languages [T-746]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const settings = sql`json_set(settings, '$.chosenLanguages', json('["de"]'))`
    await context().db.update(users).set({ settings }).where(sql`account_id = ${alice.id}`)
    const connection = await openStreamSocket(alice, { stream: 'public' })
    await post(bob, 'a wader', { language: 'en' })
    const id = await post(bob, 'eine Limikole', { language: 'de' })
    expect(await receivedBy(connection)).toEqual([['public', 'update', id]])
    connection.close()
  })
})

describe('the end of a token', () => {
  async function tokenOf(client: Client, { id }: TestAccount): Promise<string> {
    return tokenIn((await exchange(client, await givenCode(client, id))).body)
  }

  it('a token that its client revokes closes its streams, and nothing else [T-747]', async () => {
    const alice = await given.account()
    const client = await registerClient()
    const token = await tokenOf(client, alice)
    const [socket, source] = [
      await openStreamSocket(token, { stream: 'public' }),
      await eventSource(token, '/user'),
    ]
    const other = await openStreamSocket(alice, { stream: 'user' })
    await anonymous.post('/oauth/revoke', {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      token,
    })
    expect((await socket.closed).code).toBe(1000)
    expect(await source.lines(2)).toEqual([':)', null])
    await post(alice, 'still here')
    expect(await other.rest()).toHaveLength(1)
    other.close()
  })

  it('a token that its account revokes closes its streams as well', async () => {
    const [alice, client] = [await given.account(), await registerClient()]
    const connection = await openStreamSocket(await tokenOf(client, alice), { stream: 'user' })
    await revokeApplication(context(), alice.id, client.id)
    await settleLateWork()
    expect((await connection.closed).code).toBe(1000)
    expect(await presenceOf(alice)).toBeNull()
  })

  it('streams close when the account may no longer sign in', async () => {
    const alice = await given.account()
    const connection = await openStreamSocket(alice, { stream: 'user' })
    const action = `/api/v1/admin/accounts/${alice.id}/action`
    const { status } = await as('a-setup-token-for-tests').post(action, { type: 'disable' })
    expect(status).toBe(200)
    expect((await connection.closed).code).toBe(1000)
    expect(await presenceOf(alice)).toBeNull()
  })
})
