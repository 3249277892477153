import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrival, as, eventually, follows } from './support/api'
import type { Instance, Person } from './support/instance'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance
let b: Instance

beforeAll(async () => {
  world = await openWorld('a', 'b')
  a = world.instance('a')
  b = world.instance('b')
})
afterAll(() => world?.close())

let made = 0
/** Alice at a follows Bob at b. */
async function acquainted() {
  made += 1
  const [alice, bob] = await Promise.all([a.member(`alice${made}`), b.member(`bob${made}`)])
  await follows(alice, bob)
  await eventually(async () => expect(await b.waiting('a.test')).toBe(0))
  return { alice, bob }
}

const isDelivery = (host: string) => (request: Request) =>
  request.method === 'POST' && new URL(request.url).host === host

/** Counts the attempts to deliver an activity about `uri` to `host`. */
const triesOf = (host: string, uri: string) =>
  world.router.passages(host, 'POST').filter(({ body }) => body.includes(`"${uri}"`)).length

/** The texts Alice has from Bob, as they stand in her home timeline, newest first. */
async function textsFrom(bob: Person, alice: Person): Promise<readonly string[]> {
  const home = await as(alice).home()
  const from = home.filter(({ account }) => account.acct === bob.handle)
  return from.map(({ content }) => content.replaceAll(/<[^>]*>/g, ''))
}

describe('a failing server', () => {
  it.each([
    ['answers 503', async () => new Response('', { status: 503 })],
    ['answers 429', async () => new Response('', { status: 429 })],
    ['is not there', () => Promise.reject(new Error('Connection refused'))],
  ] as const)('%s: missed deliveries arrive later, once and in order', async (_name, happens) => {
    const { alice, bob } = await acquainted()
    const heal = world.router.inject({ fits: isDelivery('a.test'), happens })
    for (const text of ['first', 'second', 'third']) await as(bob).write(text)
    await eventually(async () => expect(await b.waiting('a.test')).toBe(3))
    await b.hurry('a.test')
    heal()
    await b.hurry('a.test')
    await eventually(async () => expect(await textsFrom(bob, alice)).toEqual(['third', 'second', 'first']))
    await eventually(async () => expect(await b.waiting('a.test')).toBe(0))
  })

  it('broke off after accepting a delivery: nothing is stored twice', async () => {
    const { alice, bob } = await acquainted()
    const happens = async (_request: Request, pass: () => Promise<Response>) => {
      await pass()
      throw new Error('The connection broke')
    }
    world.router.inject({ fits: isDelivery('a.test'), happens, times: 1 })
    const { uri } = await as(bob).write('once')
    await arrival(() => as(alice).received(uri))
    await eventually(async () => expect(await b.waiting('a.test')).toBe(1))
    await b.hurry('a.test')
    await eventually(async () => expect(await b.waiting('a.test')).toBe(0))
    expect(await textsFrom(bob, alice)).toEqual(['once'])
    expect(await as(alice).notifications()).toEqual([])
  })

  it('receives every delivery twice, at the same moment: nothing is stored twice', async () => {
    const { alice, bob } = await acquainted()
    const twice = async (_request: Request, pass: () => Promise<Response>) => {
      const [first] = await Promise.all([pass(), pass()])
      if (first === undefined) throw new Error('Nothing was answered')
      return first
    }
    const heal = world.router.inject({ fits: isDelivery('a.test'), happens: twice })
    const backwards = world.router.inject({ fits: isDelivery('b.test'), happens: twice })
    const { uri, id } = await as(bob).write(`@${alice.handle} hello`)
    const came = await arrival(() => as(alice).received(uri))
    await as(alice).act(came.id, 'favourite')
    await as(alice).act(came.id, 'reblog')
    await as(alice).write(`@${bob.handle} hello back`, { in_reply_to_id: came.id })
    await eventually(async () =>
      expect(await as(bob).status(id)).toMatchObject({
        favourites_count: 1,
        reblogs_count: 1,
        replies_count: 1,
      }),
    )
    await eventually(async () => expect(await a.waiting('b.test')).toBe(0))
    heal()
    backwards()
    const notified = (await as(bob).notifications()).map(({ type }) => type)
    expect(notified.toSorted()).toEqual(['favourite', 'follow', 'mention', 'reblog'])
    expect((await as(alice).notifications()).map(({ type }) => type)).toEqual(['mention'])
  })

  it('receives a deletion before its post: the post is not stored', async () => {
    const { alice, bob } = await acquainted()
    const held: (() => Promise<Response>)[] = []
    world.router.inject({
      fits: (request, body) => isDelivery('a.test')(request) && body.includes('"Create"'),
      // Says yes and delivers later, as a queue at the other side may do.
      happens: async (_request, pass) => {
        held.push(pass)
        return new Response(null, { status: 202 })
      },
      times: 1,
    })
    const { id, uri } = await as(bob).write('Too late')
    await eventually(async () => expect(held).toHaveLength(1))
    await as(bob).erase(id)
    await eventually(async () => expect(await b.waiting('a.test')).toBe(0))
    await held[0]?.()
    const { uri: next } = await as(bob).write('Afterwards')
    await arrival(() => as(alice).received(next))
    expect(await as(alice).received(uri)).toBeNull()
  })

  it('answers 410 to a delivery: it is not retried, and later ones arrive once the server recovers', async () => {
    const { alice, bob } = await acquainted()
    const gone = async () => new Response('', { status: 410 })
    const heal = world.router.inject({ fits: isDelivery('a.test'), happens: gone })
    const { uri: lost } = await as(bob).write('Into the void')
    const tries = () => triesOf('a.test', lost)
    await eventually(async () => {
      expect(tries()).toBe(1)
      expect(await b.waiting('a.test')).toBe(0)
    })
    await b.hurry('a.test')
    const { uri } = await as(bob).write('Here again')
    await eventually(async () => expect(await b.waiting('a.test')).toBe(1))
    heal()
    // A sign of life is noted once in ten minutes, and there was one when Alice followed Bob.
    await b.restart()
    await as(alice).write(`@${bob.handle} are you there?`)
    await eventually(async () => expect(triesOf('a.test', uri)).toBe(1))
    await eventually(async () => expect(await b.waiting('a.test')).toBe(0))
    await arrival(() => as(alice).received(uri))
    // Alice may have it all the same: her server looks once at what the people she follows wrote before.
    expect(tries()).toBe(1)
  })

  it('a failing server cannot fetch the sender’s key: it answers 503, and accepts the next attempt', async () => {
    const carol = await b.member(`carol${made}`)
    const alice = await a.member(`alone${made}`)
    const heal = world.router.inject({
      fits: ({ method, url }) => method === 'GET' && url.startsWith(carol.uri),
      happens: async () => new Response('', { status: 503 }),
    })
    // A minute's hold is what the answer asks for, and more than a test can wait.
    const hurried = world.router.inject({
      fits: isDelivery('a.test'),
      happens: async (_request, pass) => new Response(null, { status: (await pass()).status }),
    })
    await as(carol).write(`@${alice.handle} can you hear me?`)
    await eventually(async () => {
      const tried = world.router.passages('a.test', 'POST')
      expect(tried.at(-1)?.status).toBe(503)
    })
    heal()
    hurried()
    // A failed fetch is not repeated for half a minute, unless the process restarts.
    await a.restart()
    await b.hurry('a.test')
    await eventually(async () =>
      expect((await as(alice).notifications()).map(({ type }) => type)).toEqual(['mention']),
    )
  })
})

describe('a server that stops during delivery', () => {
  it('continues after a restart: loses nothing, repeats nothing, keeps the order', async () => {
    const { alice, bob } = await acquainted()
    let answered = 0
    const heal = world.router.inject({
      fits: isDelivery('a.test'),
      happens: async (_request, pass) => {
        answered += 1
        return answered <= 2 ? pass() : new Response('', { status: 503 })
      },
    })
    for (let nth = 1; nth <= 5; nth += 1) await as(bob).write(`bird ${nth}`)
    await eventually(async () => expect(await b.waiting('a.test')).toBe(3))
    await b.restart()
    heal()
    await b.hurry('a.test')
    const all = [5, 4, 3, 2, 1].map((nth) => `bird ${nth}`)
    await eventually(async () => expect(await textsFrom(bob, alice)).toEqual(all))
  })

  it('repeats an interrupted delivery, which counts once', async () => {
    const { alice, bob } = await acquainted()
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    world.router.inject({
      fits: isDelivery('a.test'),
      happens: async (_request, pass) => {
        await until
        return pass()
      },
      times: 1,
    })
    const { uri } = await as(bob).write('on its way')
    const tries = () => triesOf('a.test', uri)
    await eventually(async () => expect(await b.waiting('a.test')).toBe(1))
    await b.restart()
    release()
    await eventually(async () => expect(tries()).toBe(1))
    await b.hurry('a.test')
    await eventually(async () => expect(tries()).toBe(2))
    await eventually(async () => expect(await b.waiting('a.test')).toBe(0))
    expect(await textsFrom(bob, alice)).toEqual(['on its way'])
  })
})
