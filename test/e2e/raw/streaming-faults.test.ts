import { afterEach, describe, expect, it } from 'vitest'
import { mastoOf } from '../support/masto'
import { newPerson, newTag, type Person } from '../support/people'
import { bearer, openSocket, type Socket } from '../support/socket'

const open = new Set<Socket>()
afterEach(async () => {
  await Promise.all([...open].map((socket) => socket.close()))
  open.clear()
})

async function listen(person: Person, query: Readonly<Record<string, string>> = {}): Promise<Socket> {
  const socket = await openSocket(query, bearer(person))
  open.add(socket)
  return socket
}

/** Two sockets of one person: whatever one of them does, the other must not notice. */
async function pair() {
  const alice = await newPerson('alice')
  const [rude, polite] = [await listen(alice, { stream: 'user' }), await listen(alice, { stream: 'user' })]
  const hears = async () => {
    const { id } = await mastoOf(alice).v1.statuses.create({ status: 'Still there?' })
    await polite.about('update', id)
    expect(polite.kindsOf(id)).toEqual(['update'])
    return id
  }
  return { alice, rude, polite, hears }
}

describe('a misbehaving client', () => {
  it('a misbehaving client is closed after a binary frame', async () => {
    const { rude, hears } = await pair()
    rude.send(new Uint8Array([123, 125]))
    expect(await rude.closed).toMatchObject({ code: 1003 })
    await hears()
  })

  it('a misbehaving client is closed after a frame of a megabyte', async () => {
    const { rude, hears } = await pair()
    rude.send(JSON.stringify({ type: 'subscribe', stream: 'x'.repeat(1_048_576) }))
    expect(await rude.closed).toMatchObject({ code: 1009 })
    await hears()
  })

  it('a misbehaving client is closed when it floods, with at most the allowed subscriptions', async () => {
    const { rude, hears } = await pair()
    for (let nth = 0; nth < 2_000; nth += 1) rude.subscribe('hashtag', { tag: `wren${nth}` })
    expect(await rude.closed).toMatchObject({ code: 1008 })
    await hears()
  })

  it('receives nothing twice after subscribing and unsubscribing quickly', async () => {
    const { alice, rude, hears } = await pair()
    for (let nth = 0; nth < 20; nth += 1) {
      rude.subscribe('public:local')
      rude.unsubscribe('public:local')
    }
    rude.subscribe('public:local')
    await rude.settled()
    const id = await hears()
    await rude.until('both', () => rude.kindsOf(id).length >= 2)
    const { id: last } = await mastoOf(alice).v1.statuses.create({ status: 'And that was it' })
    await rude.until('both', () => rude.kindsOf(last).length >= 2)
    expect([rude.kindsOf(id), rude.kindsOf(last)]).toEqual([
      ['update', 'update'],
      ['update', 'update'],
    ])
  })

  it('disconnects without a close frame, and reconnects', async () => {
    const { alice, rude, hears } = await pair()
    open.delete(rude)
    rude.vanish()
    await hears()
    const back = await listen(alice, { stream: 'user' })
    const { id } = await mastoOf(alice).v1.statuses.create({ status: 'Welcome back' })
    await back.about('update', id)
    expect(back.kindsOf(id)).toEqual(['update'])
  })
})

describe('a reader that stops reading', () => {
  it('a reader that stops reading is closed once too much waits, and other readers miss nothing', async () => {
    const { alice, rude, polite, hears } = await pair()
    const tags = Array.from({ length: 30 }, () => newTag('w'))
    for (const tag of tags) rude.subscribe('hashtag', { tag })
    await rude.settled()
    rude.pause()
    const { statuses } = mastoOf(alice).v1
    const status = tags.map((tag) => `#${tag}`).join(' ')
    // Each adds some hundred kilobytes for a subscriber of all these streams, at once: too much to read so fast.
    const posted = await Promise.all(Array.from({ length: 24 }, () => statuses.create({ status })))
    const ids = posted.map(({ id }) => id)
    for (const id of ids) await polite.about('update', id)
    expect(ids.map((id) => polite.kindsOf(id).length)).toEqual(ids.map(() => 1))
    rude.resume()
    expect(await rude.closed).toMatchObject({ code: 1008 })
    const bytes = rude.events.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0)
    expect(bytes).toBeLessThan(4 * 1_048_576)
    await hears()
  })
})
