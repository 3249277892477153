import { describe, expect, it } from 'vitest'
import { given } from '../support/given'
import { storedList } from '../support/given-list'
import { withSettings } from '../support/settings'
import {
  connectionOf,
  eventSource,
  isActiveTopic,
  message,
  openStreamSocket,
  presenceOf,
  topicOf,
} from '../support/streaming'

const missing = (what: string) => ({ error: `Missing ${what} name parameter`, status: 400 })
const notTheirs = { error: 'Not authorized to stream this list', status: 401 }
const outOfScope = { error: 'Access token does not have the required scopes', status: 401 }

describe('a subscription', () => {
  it.each(['user', 'user:notification', 'direct'])(
    'a subscription to %s is to the own streams',
    async (stream) => {
      const alice = await given.account()
      const socket = await openStreamSocket(alice, { stream })
      expect(await presenceOf(alice)).toEqual([stream])
      await connectionOf(alice).deliver([message([stream])])
      expect(await socket.rest()).toMatchObject([{ stream: [stream] }])
      socket.close()
    },
  )

  it.each([
    'public',
    'public:media',
    'public:local',
    'public:local:media',
    'public:remote',
    'public:remote:media',
  ])('a subscription to %s is to a shared stream', async (stream) => {
    const [alice, bob] = [await given.account(), await given.account()]
    const socket = [await openStreamSocket(alice, { stream }), await openStreamSocket(bob, { stream })]
    expect(await isActiveTopic(stream)).toBe(true)
    await topicOf(stream).spread([message(['something else'])])
    for (const one of socket) {
      expect(await one.rest()).toMatchObject([{ stream: [stream] }])
      one.close()
    }
  })

  it.each(['hashtag', 'hashtag:local'])(
    'a subscription to %s names the hashtag in any spelling',
    async (stream) => {
      const alice = await given.account()
      const socket = await openStreamSocket(alice)
      await socket.subscribe({ stream, tag: '#Überflüge' })
      await socket.subscribe({ stream, tag: 'uberfluge' })
      await topicOf(`${stream}:uberfluge`).spread([message([])])
      expect(await socket.rest()).toMatchObject([{ stream: [stream, '#Überflüge'] }])
      socket.close()
    },
  )

  it('accepts the name of a stream in an array, and no other content of arrays', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice)
    socket.say({ type: 'subscribe', stream: ['hashtag', 'wrens'], tag: 'wrens' })
    for (const stream of [[], [1], {}, 7, null]) {
      socket.say({ type: 'subscribe', stream })
      expect(await socket.next()).toEqual({ error: 'Unknown stream type', status: 400 })
    }
    await topicOf('hashtag:wrens').spread([message([])])
    expect(await socket.rest()).toMatchObject([{ stream: ['hashtag', 'wrens'] }])
    socket.close()
  })

  it('only the owner subscribes to a list', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const list = await storedList({ of: alice })
    const [hers, his] = [await openStreamSocket(alice), await openStreamSocket(bob, { stream: 'list', list })]
    // Ids may be numbers: so a few clients write them.
    await hers.subscribe({ stream: 'list', list })
    await connectionOf(alice).deliver([message([`list:${list}`])])
    expect(await hers.rest()).toMatchObject([{ stream: ['list', String(list)] }])
    expect(await his.rest()).toEqual([notTheirs])
    expect(await presenceOf(bob)).toEqual([])
    hers.close()
    his.close()
  })

  it.each([
    [{ stream: 'nothing' }, { error: 'Unknown stream type', status: 400 }],
    [{ stream: '' }, { error: 'Unknown stream type', status: 400 }],
    [{}, { error: 'Unknown stream type', status: 400 }],
    [{ stream: 'constructor' }, { error: 'Unknown stream type', status: 400 }],
    [{ stream: 'hashtag' }, missing('tag')],
    [{ stream: 'hashtag:local', tag: ' ' }, missing('tag')],
    [{ stream: 'list' }, missing('list')],
    [{ stream: 'list', list: 'mine' }, notTheirs],
    [{ stream: 'list', list: 12 }, notTheirs],
    [{ stream: 'list', list: '99999999999999999999' }, notTheirs],
  ])('refuses a subscription to %j in a message', async (wish, answer) => {
    const socket = await openStreamSocket(await given.account())
    socket.say({ type: 'subscribe', ...wish })
    expect(await socket.next()).toEqual(answer)
    socket.close()
  })

  it('refuses a subscription beyond the scopes of the token, by message and by address alike [T-748]', async () => {
    const alice = await given.account({ scopes: 'read:notifications' })
    const socket = await openStreamSocket(alice, { stream: 'user' })
    expect(await socket.next()).toEqual(outOfScope)
    for (const stream of ['public', 'direct', 'list', 'hashtag']) {
      socket.say({ type: 'subscribe', stream, tag: 'cats', list: '1' })
      expect(await socket.next(), stream).toEqual(outOfScope)
    }
    await socket.subscribe({ stream: 'user:notification' })
    expect(await presenceOf(alice)).toEqual(['user:notification'])
    socket.close()
    const { status } = await eventSource(
      await given.account({ scopes: 'read:statuses' }),
      '/user/notification',
    )
    expect(status).toBe(401)
  })

  it('a repeated subscription sends everything once', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await socket.subscribe({ stream: 'user' })
    await connectionOf(alice).deliver([message(['user'])])
    expect(await socket.rest()).toHaveLength(1)
    socket.close()
  })

  it('a subscription to several streams receives common events on each of them', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await socket.subscribe({ stream: 'user:notification' })
    await connectionOf(alice).deliver([message(['user', 'user:notification'], { event: 'notification' })])
    expect((await socket.rest()).map(({ stream }) => stream)).toEqual([['user'], ['user:notification']])
    socket.close()
  })

  it('unsubscribing ends one stream and no other [T-749]', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await socket.subscribe({ stream: 'direct' })
    await socket.unsubscribe({ stream: 'user' })
    // Never begun.
    await socket.unsubscribe({ stream: 'hashtag', tag: 'cats' })
    await connectionOf(alice).deliver([message(['user']), message(['direct'])])
    expect((await socket.rest()).map(({ stream }) => stream)).toEqual([['direct']])
    socket.close()
  })

  it('a subscription unsubscribes in any order', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice)
    socket.say({ type: 'subscribe', stream: 'list', list: await storedList({ of: alice }) })
    socket.say({ type: 'subscribe', stream: 'user' })
    socket.say({ type: 'unsubscribe', stream: 'user' })
    await socket.rest()
    expect(await connectionOf(alice).deliver([message(['user'])])).toBe('noSubscriber')
    socket.close()
  })
})

describe('received events', () => {
  it('a received event has the stream, the event and the payload as text [T-750]', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    const payload = JSON.stringify({ id: '1', content: '<p>ü</p>' })
    await connectionOf(alice).deliver([message(['user'], { event: 'update', payload })])
    expect(await socket.next()).toEqual({ stream: ['user'], event: 'update', payload })
    socket.close()
  })

  it('a received event has no payload where the event has none', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await connectionOf(alice).deliver([message(['user'], { event: 'filters_changed', payload: null })])
    expect(await socket.next()).toEqual({ stream: ['user'], event: 'filters_changed' })
    socket.close()
  })

  it('notifications are received only with a token that can read them [T-751]', async () => {
    const alice = await given.account({ scopes: 'read:statuses' })
    const whole = await openStreamSocket(await given.token({ accountId: alice.id, scopes: 'read' }), {
      stream: 'user',
    })
    const narrow = await openStreamSocket(alice, { stream: 'user' })
    const merged = message(['user'], { event: 'notifications_merged', payload: '1' })
    await connectionOf(alice).deliver([
      message(['user'], { event: 'notification' }),
      merged,
      message(['user']),
    ])
    expect((await whole.rest()).map(({ event }) => event)).toEqual([
      'notification',
      'notifications_merged',
      'delete',
    ])
    expect((await narrow.rest()).map(({ event }) => event)).toEqual(['delete'])
    whole.close()
    narrow.close()
  })

  it('events keep their order, on every socket', async () => {
    const alice = await given.account()
    const sockets = [
      await openStreamSocket(alice, { stream: 'user' }),
      await openStreamSocket(alice, { stream: 'user' }),
    ]
    const connection = connectionOf(alice)
    const sent = Array.from({ length: 30 }, () => message(['user']))
    await Promise.all(sent.map((one) => connection.deliver([one])))
    for (const one of sockets) {
      expect((await one.rest()).map(({ payload }) => payload)).toEqual(sent.map(({ payload }) => payload))
      one.close()
    }
  })
})

describe('a shared stream', () => {
  it.each([
    ['public', { remoteFeedAccess: 'disabled' }, 'public:local'],
    ['public:media', { localFeedAccess: 'disabled' }, 'public:remote:media'],
    ['public:local', { remoteFeedAccess: 'disabled' }, 'public:local'],
    ['hashtag', { remoteTagAccess: 'disabled' }, 'hashtag:local:halves'],
  ] as const)('%s with %j is received as %s', async (stream, settings, channel) => {
    const alice = await given.account()
    await withSettings(settings, async () => {
      const socket = await openStreamSocket(alice, { stream, tag: 'halves' })
      await topicOf(channel).spread([message([])])
      expect((await socket.rest()).map((frame) => frame.stream?.[0])).toEqual([stream])
      socket.close()
    })
  })

  it.each([
    ['public', { localFeedAccess: 'disabled', remoteFeedAccess: 'disabled' }],
    ['public:local:media', { localFeedAccess: 'disabled' }],
    ['public:remote', { remoteFeedAccess: 'disabled' }],
  ] as const)('%s with %j receives nothing', async (stream, settings) => {
    const alice = await given.account()
    await withSettings(settings, async () => {
      const socket = await openStreamSocket(alice, { stream })
      for (const channel of ['public', 'public:local', 'public:remote', 'public:local:media'])
        expect(await connectionOf(alice).deliver([message([channel])])).toBe('noSubscriber')
      expect(await socket.rest()).toEqual([])
      socket.close()
    })
  })
})
