import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { allScopes } from '../../src/domain/sessions/scopes'
import type { Ctx } from '../../src/ports/ctx'
import { ConnectionObject } from '../../src/streaming/connection'
import { encodeConnectionRequest } from '../../src/streaming/connection-request'
import type { DeliveryOutcome, StreamMessage, StreamObjects } from '../../src/streaming/messages'
import { TopicObject } from '../../src/streaming/topic'
import { streamObjects } from '../../src/wire'
import { given } from '../support/given'
import { hangLimit } from '../support/hang-limit'
import {
  connectionOf,
  isActiveTopic,
  message,
  openStreamSocket,
  presenceOf,
  topicOf,
} from '../support/streaming'
import { context } from '../support/test-app'

describe('a socket', () => {
  it.each([
    ['what is no JSON', 'subscribe me'],
    ['half of it', '{"type":"subscribe","stream":'],
    ['other JSON', '[1,2,3]'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '12'],
    ['an unknown type', '{"type":"ping","stream":"user"}'],
    ['no type', '{"stream":"user"}'],
    ['a name that all objects have', '{"type":"toString"}'],
    ['deep nesting', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
  ])('a socket ignores %s', async (_, text) => {
    const socket = await openStreamSocket(await given.account())
    socket.say(text)
    expect(await socket.rest()).toEqual([])
    socket.close()
  })

  it('a socket is closed after a binary message', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    socket.say(new ArrayBuffer(8))
    expect(await socket.closed).toMatchObject({ code: 1003 })
    expect(await presenceOf(alice)).toBeNull()
  })

  it.each([4_097, 1_048_576])('a socket is closed after a frame of %i characters', async (length) => {
    const socket = await openStreamSocket(await given.account())
    socket.say('x'.repeat(length))
    expect(await socket.closed).toMatchObject({ code: 1009 })
  })

  it('a socket is closed after a flood of messages, and other sockets stay open', async () => {
    const alice = await given.account()
    const [loud, quiet] = [await openStreamSocket(alice), await openStreamSocket(alice, { stream: 'user' })]
    for (let count = 0; count < 300; count += 1) loud.say({ type: 'subscribe', stream: 'user' })
    expect(await loud.closed).toMatchObject({ code: 1008 })
    await connectionOf(alice).deliver([message(['user'])])
    expect(await quiet.rest()).toHaveLength(1)
    quiet.close()
  })

  it('accepts a bounded number of streams, however long their names', async () => {
    const alice = await given.account()
    const [many, long] = [await openStreamSocket(alice), await openStreamSocket(alice)]
    for (let n = 0; n < 40; n += 1) await many.subscribe({ stream: 'hashtag', tag: `many${n}` })
    many.say({ type: 'subscribe', stream: 'hashtag', tag: 'onemore' })
    expect(await many.next()).toEqual({ error: 'Too many streams', status: 400 })
    const tag = (n: number) => `${n}${'鳥'.repeat(190)}`
    for (let n = 0; n < 20; n += 1) long.say({ type: 'subscribe', stream: 'hashtag', tag: tag(n) })
    const refused = await long.rest()
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ error }) => error === 'Too many streams')).toBe(true)
    // A connection keeps its subscriptions while its object is evicted.
    await evictDurableObject(connectionOf(alice))
    await topicOf(`hashtag:${tag(0)}`).spread([message([])])
    expect((await long.rest()).map(({ stream }) => stream)).toEqual([['hashtag', tag(0)]])
    many.close()
    long.close()
  })

  it('stores all allowed subscriptions, for the longest list of scopes', async () => {
    const alice = await given.account({ scopes: allScopes.join(' ') })
    const socket = await openStreamSocket(alice, { stream: 'user' })
    const tag = (n: number) => `${n}${'鳥'.repeat(190)}`
    for (let n = 0; n < 40; n += 1) socket.say({ type: 'subscribe', stream: 'hashtag', tag: tag(n) })
    for (let n = 0; n < 40; n += 1) socket.say({ type: 'subscribe', stream: 'hashtag', tag: `鳥${n}` })
    await socket.rest()
    for (let n = 0; n < 70; n += 1) await connectionOf(alice).deliver([message(['user'])])
    expect(await socket.rest()).toHaveLength(70)
    socket.close()
  })

  it('a socket is closed when more is sent than a client can have read', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    const payload = 'x'.repeat(100_000)
    for (let count = 0; count < 20; count += 1)
      await connectionOf(alice).deliver([message(['user'], { payload })])
    expect(await socket.closed).toMatchObject({ code: 1008 })
    expect(await presenceOf(alice)).toBeNull()
  })
})

describe('a hibernated object', () => {
  it('a hibernated object restores its sockets, their streams and what was sent', async () => {
    const alice = await given.account({ scopes: 'read:statuses' })
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await socket.subscribe({ stream: 'hashtag', tag: 'Godwits' })
    const [before, after] = [message(['user']), message(['user'])]
    await connectionOf(alice).deliver([before])
    await evictDurableObject(connectionOf(alice))
    const notice = message(['user'], { event: 'notification' })
    expect(await connectionOf(alice).deliver([before, notice, after])).toBe('delivered')
    await topicOf('hashtag:godwits').spread([message([], { payload: 'tagged' })])
    expect((await socket.rest()).map(({ stream, payload }) => [stream?.join(), payload])).toEqual([
      ['user', before.payload],
      ['user', after.payload],
      ['hashtag,Godwits', 'tagged'],
    ])
    socket.close()
    await expect.poll(() => presenceOf(alice), hangLimit).toBeNull()
    await expect.poll(() => isActiveTopic('hashtag:godwits'), hangLimit).toBe(false)
  })

  it('a hibernated object lets its sockets subscribe and unsubscribe as before', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'user' })
    await evictDurableObject(connectionOf(alice))
    await socket.subscribe({ stream: 'direct' })
    await socket.subscribe({ stream: 'user' })
    expect(await presenceOf(alice)).toEqual(['direct', 'user'])
    await evictDurableObject(connectionOf(alice))
    await socket.unsubscribe({ stream: 'user' })
    expect(await presenceOf(alice)).toEqual(['direct'])
    socket.close()
  })
})

describe('a socket whose attachment cannot be read', () => {
  it('a socket whose attachment cannot be read is closed, and the others continue', async () => {
    const alice = await given.account()
    const [lost, kept] = [await openStreamSocket(alice), await openStreamSocket(alice, { stream: 'user' })]
    await runInDurableObject(connectionOf(alice), (_, state) => {
      const silent = state
        .getWebSockets()
        .find((ws) => !String(ws.deserializeAttachment()).includes('"user"'))
      silent?.serializeAttachment('{"of":"another version"}')
    })
    await evictDurableObject(connectionOf(alice))
    await connectionOf(alice).deliver([message(['user'])])
    expect(await kept.rest()).toHaveLength(1)
    expect(await lost.closed).toMatchObject({ code: 1011 })
    kept.close()
  })
})

describe('a message', () => {
  it('sends a message that is published twice once', async () => {
    const alice = await given.account()
    const [socket, late] = [await openStreamSocket(alice, { stream: 'user' }), await openStreamSocket(alice)]
    const once = message(['user'])
    await connectionOf(alice).deliver([once, once])
    await late.subscribe({ stream: 'user' })
    await connectionOf(alice).deliver([once])
    expect(await socket.rest()).toHaveLength(1)
    // A client that connected between the two attempts receives the event by the second.
    expect(await late.rest()).toHaveLength(1)
    socket.close()
    late.close()
  })
})

describe('a connection object without its database', () => {
  it('a connection object without its database refuses connections that would receive nothing', async () => {
    const alice = await given.account()
    const broken = { ...context(), db: failing(context()) }
    class Unlucky extends ConnectionObject {
      protected begin() {
        return broken
      }
      protected objects() {
        return streamObjects(env)
      }
    }
    const listener = {
      accountId: alice.id,
      kind: 'token' as const,
      tokenId: 1,
      scopes: ['read'],
      permissions: 0,
    }
    const call = encodeConnectionRequest({ kind: 'socket', listener, asked: null })
    const left = await runInDurableObject(connectionOf(alice), async (_, state) => {
      await expect(new Unlucky(state, env).fetch(call)).rejects.toThrow('no database')
      return state.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length
    })
    expect(left).toBe(0)
  })
})

function failing({ db }: Ctx): Ctx['db'] {
  return new Proxy(db, {
    get: (target, key) => {
      if (key === 'batch') return () => Promise.reject(new Error('no database'))
      return Reflect.get(target, key)
    },
  })
}

describe('a shared stream', () => {
  /** The object of a stream whose listeners answer as told, one after the other. */
  async function spread(
    channel: string,
    answers: (DeliveryOutcome | Error | (() => Promise<DeliveryOutcome>))[],
  ) {
    const tries: StreamMessage[] = []
    const said: string[] = []
    const objects: StreamObjects = {
      ...streamObjects(env),
      connection: (id) => ({
        ...streamObjects(env).connection(id),
        handle: async ({ messages }) => {
          tries.push(...messages)
          const answer = answers.shift() ?? 'delivered'
          if (answer instanceof Error) throw answer
          return typeof answer === 'function' ? answer() : answer
        },
      }),
    }
    const log = { info: () => undefined, error: (text: string) => void said.push(text) }
    class Handled extends TopicObject {
      protected begin() {
        return context({ log })
      }
      protected objects() {
        return objects
      }
    }
    await runInDurableObject(topicOf(channel), (_, state) => new Handled(state, env).spread([message([])]))
    return { tries, said }
  }

  it('retries with the same key where a subscriber could not be reached', async () => {
    const { id } = await given.account()
    await topicOf('hashtag:whimbrel').join(id)
    const { tries, said } = await spread('hashtag:whimbrel', [new Error('reset'), 'delivered'])
    expect(new Set(tries.map(({ key }) => key)).size).toBe(1)
    expect([tries.length, said]).toEqual([2, []])
  })

  it('gives up after three attempts, logs it, and keeps the subscriber', async () => {
    const { id } = await given.account()
    await topicOf('hashtag:curlew').join(id)
    const { tries, said } = await spread('hashtag:curlew', [new Error('1'), new Error('2'), new Error('3')])
    expect([tries.length, said]).toEqual([3, ['Failed to deliver stream messages']])
    expect(await isActiveTopic('hashtag:curlew')).toBe(true)
  })

  it('keeps a subscriber who reconnected while being found disconnected', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const { id } of [alice, bob]) await topicOf('hashtag:stint').join(id)
    const back = async () => {
      await topicOf('hashtag:stint').join(alice.id)
      return 'noSubscriber' as const
    }
    const { tries } = await spread('hashtag:stint', [back, 'noSubscriber'])
    expect(tries).toHaveLength(2)
    expect(await isActiveTopic('hashtag:stint')).toBe(true)
    await topicOf('hashtag:stint').leave(alice.id)
    expect(await isActiveTopic('hashtag:stint')).toBe(false)
  })
})
