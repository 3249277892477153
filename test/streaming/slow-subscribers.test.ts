import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { CalledObjects, DeliveryOutcome, StreamMessage } from '../../src/streaming/messages'
import { TopicObject } from '../../src/streaming/topic'
import { given } from '../support/given'
import { hangLimit } from '../support/hang-limit'
import { message, topicOf } from '../support/streaming'
import { context } from '../support/test-app'

/** A connection object that answers a call when told to. */
class SlowConnection {
  readonly lists: string[][] = []
  readonly #held: ((outcome: DeliveryOutcome) => void)[] = []

  take(messages: readonly StreamMessage[]): Promise<DeliveryOutcome> {
    this.lists.push(messages.map(({ payload }) => payload ?? ''))
    return new Promise((resolve) => this.#held.push(resolve))
  }

  /** Answers the call under way, and waits for the next one. */
  async release(): Promise<void> {
    const calls = this.lists.length
    this.#held.shift()?.('delivered')
    await expect.poll(() => this.lists.length, hangLimit).toBe(calls + 1)
  }
}

interface Scene {
  readonly topic: TopicObject
  readonly slow: SlowConnection
  /** Payloads that the quick subscriber received, by call. */
  readonly quick: string[][]
  readonly logged: unknown[]
  readonly slowId: number
}

/** A real topic object with two subscribers, one of them slow. */
async function onTopic(channel: string, act: (scene: Scene) => Promise<void>): Promise<void> {
  const [{ id: slowId }, { id: quickId }] = [await given.account(), await given.account()]
  for (const id of [slowId, quickId]) await topicOf(channel).join(id)
  const slow = new SlowConnection()
  const quick: string[][] = []
  const logged: unknown[] = []
  const objects: CalledObjects = {
    connection: (id) => ({
      handle: async ({ messages }) => {
        if (id === slowId) return slow.take(messages)
        quick.push(messages.map(({ payload }) => payload ?? ''))
        return 'delivered'
      },
    }),
    topic: () => {
      throw new Error('Two subscribers need no branch')
    },
  }
  const log = {
    info: () => undefined,
    error: (text: string, facts?: object) => void logged.push([text, facts]),
  }
  class WithSlowSubscriber extends TopicObject {
    protected begin() {
      return context({ log })
    }
    protected objects() {
      return objects
    }
    protected override patienceMilliseconds() {
      return 1
    }
  }
  await runInDurableObject(topicOf(channel), (_, state) =>
    act({ topic: new WithSlowSubscriber(state, env), slow, quick, logged, slowId }),
  )
}

const numbered = (payload: string | number) => message([], { payload: String(payload) })

const dropped = (channel: string, to: number, count: number) => [
  'Dropped stream messages of a slow subscriber',
  { from: channel, to, dropped: count },
]

describe('a slow subscriber of a shared stream', () => {
  it('receives waiting messages as one list, in order', async () => {
    await onTopic('hashtag:snipe', async ({ topic, slow, logged }) => {
      for (const payload of ['1', '2', '3', '4']) await topic.spread([numbered(payload)])
      await slow.release()
      expect(slow.lists).toEqual([['1'], ['2', '3', '4']])
      expect(logged).toEqual([])
    })
  })

  it('a slow subscriber of a shared stream does not delay others', async () => {
    await onTopic('hashtag:dunlin', async ({ topic, quick }) => {
      for (const payload of ['1', '2', '3']) await topic.spread([numbered(payload)])
      expect(quick).toEqual([['1'], ['2'], ['3']])
    })
  })

  it('loses the oldest of more than 32 messages, which is logged with their number', async () => {
    await onTopic('hashtag:knot', async ({ topic, slow, quick, logged, slowId }) => {
      for (let payload = 0; payload <= 45; payload += 1) await topic.spread([numbered(payload)])
      await slow.release()
      const newest = Array.from({ length: 32 }, (_, index) => String(index + 14))
      expect(slow.lists).toEqual([['0'], newest])
      expect(quick).toHaveLength(46)
      expect(logged).toMatchObject([1, 10, 13].map((count) => dropped('hashtag:knot', slowId, count)))
    })
  })

  it('loses the oldest beyond 256 KiB', async () => {
    await onTopic('hashtag:ruff', async ({ topic, slow, logged, slowId }) => {
      const large = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000))
      await topic.spread([numbered('first')])
      for (const payload of large) await topic.spread([numbered(payload)])
      await slow.release()
      expect(slow.lists).toEqual([['first'], large.slice(2)])
      expect(logged.at(-1)).toMatchObject(dropped('hashtag:ruff', slowId, 2))
    })
  })

  it('receives messages directly again once it caught up', async () => {
    await onTopic('hashtag:sanderling', async ({ topic, slow, logged }) => {
      for (const payload of ['1', '2']) await topic.spread([numbered(payload)])
      await slow.release()
      await topic.spread([numbered('3')])
      await slow.release()
      expect(slow.lists).toEqual([['1'], ['2'], ['3']])
      expect(logged).toEqual([])
    })
  })
})

it('delivers a list longer than the waiting limit completely to fast subscribers', async () => {
  await onTopic('hashtag:turnstone', async ({ topic, quick, logged }) => {
    const many = Array.from({ length: 50 }, (_, index) => String(index))
    await topic.spread(many.map(numbered))
    expect(quick).toEqual([many])
    expect(logged).toEqual([])
  })
})
