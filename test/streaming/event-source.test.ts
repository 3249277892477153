import { evictDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EventStream } from '../../src/streaming/routes'
import { given } from '../support/given'
import { storedList } from '../support/given-list'
import { hangLimit } from '../support/hang-limit'
import {
  connectionOf,
  EventSourceClient,
  eventSource,
  message,
  presenceOf,
  topicOf,
} from '../support/streaming'
import { fetchApp } from '../support/test-app'

/** An event source over a socket whose other end is here, with timers moved by hand. */
async function onServedSocket(
  act: (scene: {
    lines(count: number): Promise<readonly (string | null)[]>
    readonly closed: Promise<{ readonly code: number }>
  }) => Promise<void>,
): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const { 0: worker, 1: object } = new WebSocketPair()
  object.accept()
  const closed = new Promise<{ readonly code: number }>((resolve) =>
    object.addEventListener('close', resolve),
  )
  const client = new EventSourceClient(new Response(new EventStream(worker).body))
  await act({ lines: (count) => client.lines(count), closed })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('an event source', () => {
  it('sends a comment when it opens, and is not cached [T-727]', async () => {
    const client = await eventSource(await given.account(), '/user')
    expect(client.status).toBe(200)
    expect(client.headers.get('content-type')).toBe('text/event-stream')
    expect(client.headers.get('cache-control')).toBe('private, no-store')
    expect(await client.line()).toBe(':)')
    await client.leave()
  })

  it('sends a comment again when a heartbeat is due [T-728]', async () => {
    await onServedSocket(async ({ lines }) => {
      vi.advanceTimersByTime(14_999)
      expect(await lines(1)).toEqual([':)'])
      vi.advanceTimersByTime(15_001)
      expect(await lines(2)).toEqual([':thump', ':thump'])
    })
  })

  it('ends after six hours without an error, and names the retry time', async () => {
    await onServedSocket(async ({ lines, closed }) => {
      expect(await lines(1)).toEqual([':)'])
      for (let minutes = 0; minutes < 359; minutes += 1) {
        vi.advanceTimersByTime(60_000)
        expect(await lines(4)).toEqual([':thump', ':thump', ':thump', ':thump'])
      }
      vi.advanceTimersByTime(60_000)
      const last = (await lines(6)).filter((line) => line !== ':thump' && line !== null)
      expect(last).toEqual(['retry: 3000'])
      expect(await lines(1)).toEqual([null])
      expect((await closed).code).toBe(1000)
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  it('an event source lets its object hibernate, and continues when that wakes', async () => {
    const alice = await given.account()
    const client = await eventSource(alice, '/user')
    await evictDurableObject(connectionOf(alice))
    expect(await connectionOf(alice).deliver([message(['user'], { payload: '1' })])).toBe('delivered')
    await evictDurableObject(connectionOf(alice))
    await connectionOf(alice).deliver([message(['user'], { payload: '2' })])
    expect(await client.lines(7)).toEqual([
      ':)',
      'event: delete',
      'data: 1',
      '',
      'event: delete',
      'data: 2',
      '',
    ])
    await client.leave()
    await expect.poll(() => presenceOf(alice), hangLimit).toBeNull()
  })

  it('sends events as blocks of two lines', async () => {
    const alice = await given.account()
    const client = await eventSource(alice, '/user')
    const payload = JSON.stringify({ id: '1', content: 'a\nb' })
    await connectionOf(alice).deliver([message(['user'], { event: 'update', payload })])
    await connectionOf(alice).deliver([message(['user'], { event: 'delete', payload: '12' })])
    expect(await client.lines(7)).toEqual([
      ':)',
      'event: update',
      `data: ${payload}`,
      '',
      'event: delete',
      'data: 12',
      '',
    ])
    await client.leave()
  })

  it('sends an empty object where an event has no payload', async () => {
    const alice = await given.account()
    const client = await eventSource(alice, '/user')
    await connectionOf(alice).deliver([message(['user'], { event: 'filters_changed', payload: null })])
    expect(await client.lines(3)).toEqual([':)', 'event: filters_changed', 'data: {}'])
    await client.leave()
  })

  it.each([
    ['/user', 'user'],
    ['/user/notification', 'user:notification'],
    ['/direct', 'direct'],
  ])('an event source at %s is the own stream %s', async (path, channel) => {
    const alice = await given.account()
    const client = await eventSource(alice, path)
    expect(await presenceOf(alice)).toEqual([channel])
    await connectionOf(alice).deliver([message([channel])])
    expect(await client.lines(2)).toEqual([':)', 'event: delete'])
    await client.leave()
  })

  it.each([
    ['/public', 'public'],
    ['/public?only_media=true', 'public:media'],
    ['/public?only_media=false', 'public'],
    ['/public/local', 'public:local'],
    ['/public/local?only_media=1', 'public:local:media'],
    ['/public/remote', 'public:remote'],
    ['/public/remote?only_media=true', 'public:remote:media'],
    ['/hashtag?tag=Terns', 'hashtag:terns'],
    ['/hashtag/local?tag=Terns', 'hashtag:local:terns'],
  ])('an event source at %s is the shared stream %s', async (path, channel) => {
    const client = await eventSource(await given.account(), path)
    await topicOf(channel).spread([message([])])
    expect(await client.lines(2)).toEqual([':)', 'event: delete'])
    await client.leave()
  })

  it('opens the event source of a list for its owner only [T-729]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const list = await storedList({ of: alice })
    const client = await eventSource(alice, `/list?list=${list}`)
    await connectionOf(alice).deliver([message([`list:${list}`])])
    expect(await client.lines(2)).toEqual([':)', 'event: delete'])
    await client.leave()
    const refused = await eventSource(bob, `/list?list=${list}`)
    expect([refused.status, await refused.response.json()]).toEqual([
      401,
      { error: 'Not authorized to stream this list' },
    ])
  })

  it('an event source is not opened by a HEAD request', async () => {
    const alice = await given.account()
    const address = `https://fieldfare.test/api/v1/streaming/user?access_token=${alice.token}`
    const { response } = await fetchApp(new Request(address, { method: 'HEAD' }))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await presenceOf(alice)).toBeNull()
  })

  it('an event source is removed when its reader disconnects', async () => {
    const alice = await given.account()
    const client = await eventSource(alice, '/user')
    expect(await client.line()).toBe(':)')
    await client.leave()
    await expect.poll(() => presenceOf(alice), hangLimit).toBeNull()
    expect(await connectionOf(alice).deliver([message(['user'])])).toBe('noSubscriber')
  })

  it('an event source is closed when its reader receives nothing for too long', async () => {
    const alice = await given.account()
    const client = await eventSource(alice, '/user')
    const payload = 'x'.repeat(50_000)
    const delivered = []
    for (let count = 0; count < 40; count += 1)
      delivered.push(await connectionOf(alice).deliver([message(['user'], { payload })]))
    expect(delivered[0]).toBe('delivered')
    await expect.poll(() => presenceOf(alice), hangLimit).toBeNull()
    expect(await connectionOf(alice).deliver([message(['user'])])).toBe('noSubscriber')
    let read = 0
    while ((await client.line()) !== null) read += 1
    expect(read).toBeLessThan(30)
  })

  it('an event source sends nothing twice', async () => {
    const alice = await given.account()
    const client = await eventSource(alice, '/user')
    const once = message(['user'])
    await connectionOf(alice).deliver([once])
    await connectionOf(alice).deliver([once, message(['user'], { payload: 'last' })])
    expect(await client.lines(7)).toEqual([
      ':)',
      'event: delete',
      `data: ${once.payload}`,
      '',
      'event: delete',
      'data: last',
      '',
    ])
    await client.leave()
  })
})
