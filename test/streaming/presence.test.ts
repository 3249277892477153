import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { given } from '../support/given'
import { hangLimit } from '../support/hang-limit'
import {
  connectionOf,
  eventSource,
  isActiveTopic,
  message,
  openStreamSocket,
  presenceOf,
  topicOf,
} from '../support/streaming'

/** Counts the writes of presence rows that `act` causes. */
async function writes(act: () => Promise<unknown>): Promise<number> {
  const made = () => env.DB.prepare('select count(*) from presence_writes').first<number>('count(*)')
  await env.DB.batch([
    env.DB.prepare('create table if not exists presence_writes (n integer)'),
    ...['insert', 'update', 'delete'].map((kind) =>
      env.DB.prepare(
        `create trigger presence_${kind} after ${kind} on presences begin insert into presence_writes values (1); end`,
      ),
    ),
  ])
  try {
    const before = (await made()) ?? 0
    await act()
    return ((await made()) ?? 0) - before
  } finally {
    await env.DB.batch([
      ...['insert', 'update', 'delete'].map((kind) => env.DB.prepare(`drop trigger presence_${kind}`)),
      env.DB.prepare('drop table presence_writes'),
    ])
  }
}

describe('presence', () => {
  it('an account with an open connection is present, whatever its subscriptions', async () => {
    const alice = await given.account()
    expect(await presenceOf(alice)).toBeNull()
    const socket = await openStreamSocket(alice)
    expect(await presenceOf(alice)).toEqual([])
    socket.close()
    await expect.poll(() => presenceOf(alice), hangLimit).toBeNull()
  })

  it('presence is written when the set of own streams changes, not for each socket', async () => {
    const alice = await given.account()
    const count = await writes(async () => {
      const first = await openStreamSocket(alice, { stream: 'user' })
      const second = await openStreamSocket(alice, { stream: 'user' })
      const third = await openStreamSocket(alice, { stream: 'public' })
      const fourth = await openStreamSocket(alice)
      await fourth.subscribe({ stream: 'hashtag', tag: 'plovers' })
      for (const one of [second, third, fourth]) one.close()
      await expect.poll(() => isActiveTopic('hashtag:plovers'), hangLimit).toBe(false)
      first.close()
      await expect.poll(() => presenceOf(alice), hangLimit).toBeNull()
    })
    // Here, for the home; gone.
    expect(count).toBe(2)
  })

  it('presence covers all connections together', async () => {
    const alice = await given.account()
    const first = await openStreamSocket(alice, { stream: 'user' })
    const second = await openStreamSocket(alice, { stream: 'direct' })
    const third = await eventSource(alice, '/user/notification')
    expect(await presenceOf(alice)).toEqual(['direct', 'user', 'user:notification'])
    second.close()
    await expect.poll(() => presenceOf(alice), hangLimit).toEqual(['user', 'user:notification'])
    await third.leave()
    await expect.poll(() => presenceOf(alice), hangLimit).toEqual(['user'])
    first.close()
  })

  it('a call that finds no connection removes stale presence', async () => {
    const alice = await given.account()
    const socket = await openStreamSocket(alice, { stream: 'direct' })
    await env.DB.prepare(`update presences set channels = '["user", "direct"]' where account_id = ?`)
      .bind(alice.id)
      .run()
    expect(await connectionOf(alice).deliver([message(['user'])])).toBe('noSubscriber')
    expect(await presenceOf(alice)).toEqual(['direct'])
    socket.close()
    const bob = await given.account()
    await env.DB.prepare(`insert into presences values (?, '["user"]')`).bind(bob.id).run()
    expect(await connectionOf(bob).deliver([message(['user'])])).toBe('noSubscriber')
    expect(await presenceOf(bob)).toBeNull()
  })
})

describe('a shared stream', () => {
  it('receives messages from the first subscriber to the last', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await openStreamSocket(alice, { stream: 'hashtag', tag: 'dunlin' })
    const second = await openStreamSocket(bob, { stream: 'hashtag', tag: 'dunlin' })
    expect(await isActiveTopic('hashtag:dunlin')).toBe(true)
    await first.unsubscribe({ stream: 'hashtag', tag: 'dunlin' })
    expect(await isActiveTopic('hashtag:dunlin')).toBe(true)
    second.close()
    await expect.poll(() => isActiveTopic('hashtag:dunlin'), hangLimit).toBe(false)
    first.close()
  })

  it('a shared stream is deleted completely, and starts again', async () => {
    const alice = await given.account()
    const tables = () =>
      runInDurableObject(topicOf('hashtag:eider'), (_, { storage }) =>
        storage.sql
          .exec('select name from sqlite_master')
          .toArray()
          .map(({ name }) => name),
      )
    const socket = await openStreamSocket(alice)
    for (const times of [1, 2]) {
      await socket.subscribe({ stream: 'hashtag', tag: 'eider' })
      expect(await tables()).toContain('members')
      await topicOf('hashtag:eider').spread([message([])])
      expect(await socket.rest(), `time ${times}`).toHaveLength(1)
      await socket.unsubscribe({ stream: 'hashtag', tag: 'eider' })
      expect(await tables()).not.toContain('members')
    }
    socket.close()
  })

  it('a shared stream loses disconnected subscribers', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const socket = await openStreamSocket(alice, { stream: 'hashtag', tag: 'knot' })
    await topicOf('hashtag:knot').join(bob.id)
    socket.close()
    await topicOf('hashtag:knot').join(alice.id)
    await topicOf('hashtag:knot').spread([message([])])
    await expect.poll(() => isActiveTopic('hashtag:knot'), hangLimit).toBe(false)
  })

  it('reaches every subscriber, also when its object hibernated in between', async () => {
    const people = await given.accounts(25)
    const sockets = await Promise.all(
      people.map((one) => openStreamSocket(one, { stream: 'hashtag', tag: 'ruff' })),
    )
    await evictDurableObject(topicOf('hashtag:ruff'))
    await topicOf('hashtag:ruff').spread([message([])])
    for (const one of sockets) {
      expect(await one.rest()).toHaveLength(1)
      one.close()
    }
  })
})
