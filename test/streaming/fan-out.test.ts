import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { FanOut } from '../../src/streaming/fan-out'
import { type AddressedOrders, type CalledObjects, delivery, type Orders } from '../../src/streaming/messages'
import { publish } from '../../src/streaming/publish'
import type { PublishedEvent } from '../../src/streaming/publish-facts'
import { streamObjects } from '../../src/wire'
import { freshName, given } from '../support/given'
import { message, openStreamSocket, presenceOf, topicOf } from '../support/streaming'
import { context } from '../support/test-app'

/** Connection objects that take what they get, behind real branches whose calls are counted. */
class CountedObjects {
  /** Calls of each invocation: of the publisher, and of every call of a branch. */
  readonly invocations: { calls: number }[] = []
  readonly handled = new Map<number, Orders[]>()
  /** Different message objects in each call of a branch, as they would be sent. */
  readonly sentObjects: number[] = []

  invocation(): CalledObjects {
    const counter = { calls: 0 }
    this.invocations.push(counter)
    return {
      connection: (id) => ({
        handle: async (orders) => {
          counter.calls += 1
          this.handled.set(id, [...(this.handled.get(id) ?? []), orders])
          return 'delivered'
        },
      }),
      topic: (name) => ({
        spread: async () => {
          throw new Error(`No shared stream is called: ${name}`)
        },
        distribute: (orders) => {
          counter.calls += 1
          this.sentObjects.push(new Set(orders.flatMap(({ messages }) => messages)).size)
          return this.#branch(name, orders)
        },
      }),
    }
  }

  /** Each call gets a branch of its own, so that its calls are those of one invocation. */
  #branch(name: string, orders: readonly AddressedOrders[]) {
    const objects = this.invocation()
    const parts = { begin: () => context(), objects: () => objects, name, patienceMilliseconds: 10_000 }
    return new FanOut(parts).distribute(structuredClone(orders))
  }
}

function removalFor(count: number): PublishedEvent {
  const audience = Array.from({ length: count }, (_, index) => ({ accountId: index + 1, channel: 'user' }))
  return { news: { kind: 'status.removed', statusId: 7 }, audience }
}

describe('publishing to many', () => {
  it.each([
    [100, 1],
    [101, 3],
    [1_250, 14],
    [12_500, 301],
  ])('%i accounts takes %i invocations of at most a hundred calls', async (count, invocations) => {
    const objects = new CountedObjects()
    await publish(context(), objects.invocation(), [removalFor(count)])
    expect(objects.handled.size).toBe(count)
    for (const [orders, ...more] of objects.handled.values()) {
      expect(orders?.messages.map(({ event, payload }) => [event, payload])).toEqual([['delete', '7']])
      expect(more).toEqual([])
    }
    expect(Math.max(...objects.invocations.map(({ calls }) => calls))).toBeLessThanOrEqual(100)
    expect(objects.invocations).toHaveLength(invocations)
  })

  it('sends a message that is the same for all once to each branch', async () => {
    const objects = new CountedObjects()
    await publish(context(), objects.invocation(), [removalFor(1_250)])
    expect(new Set(objects.sentObjects)).toEqual(new Set([1]))
  })

  it('sends changed rules and ended sessions the same way', async () => {
    const objects = new CountedObjects()
    const audience = Array.from({ length: 150 }, (_, index) => ({ accountId: index + 1, channel: '' }))
    await publish(context(), objects.invocation(), [
      { news: { kind: 'feeds.changed' }, audience },
      { news: { kind: 'rules.changed', accountId: 3 }, audience: audience.slice(2, 3) },
      { news: { kind: 'sessions.ended', accountId: 4, tokenIds: [8] }, audience: audience.slice(3, 4) },
    ])
    expect([...objects.handled.values()].flat().every(({ needsRecheck }) => needsRecheck)).toBe(true)
    expect(objects.handled.get(3)).toMatchObject([{ haveRulesChanged: true, endedSessions: [] }])
    expect(objects.handled.get(4)).toMatchObject([{ haveRulesChanged: false, endedSessions: [[8]] }])
  })
})

function membersOf(channel: string): Promise<readonly number[]> {
  return runInDurableObject(topicOf(channel), (_, { storage }) => {
    const rows = storage.sql.exec<{ id: number }>('select account_id as id from members order by account_id')
    return rows.toArray().map(({ id }) => id)
  })
}

describe('real Durable Objects', () => {
  it('real Durable Objects deliver an event to each of a hundred and twenty accounts once', async () => {
    const people = await given.accounts(4)
    const sockets = await Promise.all(people.map((one) => openStreamSocket(one, { stream: 'user' })))
    const others = Array.from({ length: 116 }, (_, index) => ({ id: 900_000 + index }))
    const audience = [...people, ...others].map(({ id }) => ({ accountId: id, channel: 'user' }))
    await publish(context(), streamObjects(env), [
      { news: { kind: 'status.removed', statusId: 7 }, audience },
    ])
    for (const socket of sockets) {
      expect((await socket.rest()).map(({ event, payload }) => [event, payload])).toEqual([['delete', '7']])
      socket.close()
    }
  })

  it('real Durable Objects end revoked sessions and filter by new rules, also through a branch', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const [ended, kept] = [
      await openStreamSocket(alice, { stream: 'user' }),
      await openStreamSocket(bob, { stream: 'user' }),
    ]
    const orders = [alice, bob].map(({ id }) => delivery(id, [message(['user'], { payload: String(id) })]))
    const [first, second] = orders
    if (first === undefined || second === undefined) throw new Error('There are two orders')
    await topicOf('branch:test/0').distribute([{ ...first, endedSessions: [null] }, second])
    expect(await ended.closed).toMatchObject({ code: 1000, reason: 'The session has ended' })
    expect(await presenceOf(alice)).toBeNull()
    expect((await kept.rest()).map(({ payload }) => payload)).toEqual([String(bob.id)])
    kept.close()
  })

  it('real Durable Objects deliver a shared stream to more than a hundred subscribers, and drop disconnected ones', async () => {
    const tag = freshName('crowd')
    const channel = `hashtag:${tag}`
    const people = await given.accounts(4)
    const sockets = await Promise.all(people.map((one) => openStreamSocket(one, { stream: 'hashtag', tag })))
    for (let id = 1; id <= 116; id += 1) await topicOf(channel).join(910_000 + id)
    const told = [message([]), message([])]
    await topicOf(channel).spread(told)
    for (const socket of sockets)
      expect((await socket.rest()).map(({ payload }) => payload)).toEqual(told.map(({ payload }) => payload))
    const members = await membersOf(channel)
    expect(members).toEqual(people.map(({ id }) => id).toSorted((a, b) => a - b))
    for (const socket of sockets) socket.close()
  })
})
