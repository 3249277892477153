import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { StreamMessage } from '../../src/streaming/messages'
import { publish } from '../../src/streaming/publish'
import { streamObjects } from '../../src/wire'
import { FakeStreams } from '../support/fake-streams'
import { freshName, given } from '../support/given'
import { openStreamSocket, topicOf } from '../support/streaming'
import { context, settleLateWork } from '../support/test-app'

it('a broadcast that a restart interrupts still reaches every subscriber once', async () => {
  const tag = freshName('restart')
  const channel = `hashtag:${tag}`
  const people = await given.accounts(30)
  const sockets = await Promise.all(people.map((one) => openStreamSocket(one, { stream: 'hashtag', tag })))
  new FakeStreams()
  const { id } = await given.status({ by: await given.account(), text: `#${tag}` })
  await settleLateWork()
  const news = { kind: 'status.posted', statusId: Number(id) } as const
  const audience = [{ accountId: null, channel }]
  const objects = streamObjects(env)
  let calls = 0
  const topic = () => ({
    distribute: objects.topic(channel).distribute,
    spread: async (messages: readonly StreamMessage[]) => {
      calls += 1
      const spreading = objects.topic(channel).spread(messages)
      if (calls > 1) return spreading
      // The first sockets have received it when the object is evicted.
      await sockets[0]?.next()
      const cut = runInDurableObject(topicOf(channel), (_, state) => state.abort('restart'))
      await Promise.allSettled([spreading, cut])
      throw new Error('The object restarted')
    },
  })
  await publish(context(), { ...objects, topic }, [{ news, audience }])
  expect(calls).toBe(2)
  expect(await sockets[0]?.rest()).toEqual([])
  for (const one of sockets.slice(1)) expect((await one.rest()).map(({ event }) => event)).toEqual(['update'])
  for (const one of sockets) one.close()
})
