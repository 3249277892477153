import { afterEach, describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { type Application, registerAt } from '../support/client-site'
import { openSource, type Source } from '../support/event-source'
import { call } from '../support/http'
import { mastoAnonymous, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, newTag, type Person } from '../support/people'
import { entityOf } from '../support/received-events'
import { authorize, newMember, signUp } from '../support/sign-in'
import { bearer, openSocket, refusedWith, type Socket, type SocketOptions } from '../support/socket'
import { Visitor } from '../support/visitor'

const open = new Set<Socket | Source>()
afterEach(async () => {
  await Promise.all([...open].map((line) => line.close()))
  open.clear()
})

async function listen(person: Person, query: Readonly<Record<string, string>> = {}, options?: SocketOptions) {
  const socket = await openSocket(query, options ?? bearer(person))
  open.add(socket)
  return socket
}

async function source(path: string, person: Person) {
  const line = await openSource(path, person)
  open.add(line)
  return line
}

async function post(person: Person, status: string, more: object = {}): Promise<string> {
  return (await mastoOf(person).v1.statuses.create({ status, ...more })).id
}

/** Alice follows Bob. */
async function fan() {
  const people = await aliceAndBob(mastoOf)
  await people.asAlice.v1.accounts.$select(people.bob.id).follow()
  return people
}

describe('a socket', () => {
  it.each(['header', 'query', 'protocol'] as const)(
    'reads the token from the %s, and sends complete entities',
    async (place) => {
      const alice = await newPerson('alice')
      const query = { stream: 'user', ...(place === 'query' ? { access_token: alice.token } : {}) }
      const options = {
        ...{ header: bearer(alice), query: {}, protocol: { protocols: [alice.token] } }[place],
      }
      const socket = await listen(alice, query, options)
      expect(socket.protocol).toBe(place === 'protocol' ? alice.token : '')
      const id = await post(alice, 'Over the wire')
      const received = await socket.about('update', id)
      expect(received.stream).toEqual(['user'])
      expect(entityOf(received, Status)).toMatchObject({ id, account: { id: alice.id }, favourited: false })
    },
  )

  it('a socket is refused before it opens without a valid token', async () => {
    expect(await refusedWith({ stream: 'user' })).toBe(401)
    expect(await refusedWith({}, bearer({ token: 'nobodys' }))).toBe(401)
    expect(await refusedWith({ access_token: 'nobodys' })).toBe(401)
    expect(await refusedWith({}, { protocols: ['nobodys'] })).toBe(401)
  })

  it('a socket has many streams, each message with its own name, until one is unsubscribed', async () => {
    const alice = await newPerson('alice')
    const tag = newTag('wren')
    const socket = await listen(alice)
    socket.subscribe('user')
    socket.subscribe('public:local')
    socket.subscribe('hashtag', { tag })
    // Asked twice, heard once.
    socket.subscribe('user')
    await socket.settled()
    const first = await post(alice, `Here #${tag}`)
    await socket.until('all three', () => socket.kindsOf(first).length >= 3)
    socket.unsubscribe('public:local')
    socket.unsubscribe('hashtag', { tag })
    await socket.settled()
    const second = await post(alice, `There #${tag}`)
    await socket.about('update', second)
    const third = await post(alice, 'Done')
    await socket.about('update', third)
    const streamsOf = (id: string) =>
      socket.events
        .filter(({ payload }) => payload?.includes(`"id":"${id}"`) === true)
        .map(({ stream }) => stream.join(' '))
        .toSorted()
    expect(streamsOf(first)).toEqual([`hashtag ${tag}`, 'public:local', 'user'])
    expect([streamsOf(second), streamsOf(third)]).toEqual([['user'], ['user']])
  })

  it('gets an error for an unknown stream and continues', async () => {
    const { alice, asBob } = await fan()
    const { id: list } = await asBob.v1.lists.create({ title: 'His own' })
    const socket = await listen(alice)
    socket.subscribe('chirps')
    socket.subscribe('hashtag')
    socket.subscribe('list')
    socket.subscribe('list', { list })
    await socket.until('four refusals', () => socket.refusals.length >= 4)
    expect(socket.refusals.map(({ status }) => status)).toEqual([400, 400, 400, 401])
    expect(socket.refusals[0]?.error).toBe('Unknown stream type')
    for (const noise of ['', 'no json', '[]', '7', 'null', '{"type":"sing"}', '{"stream":"user"}'])
      socket.send(noise)
    socket.subscribe('user')
    await socket.settled()
    const id = await post(alice, 'Still here')
    await socket.about('update', id)
    expect(socket.refusals.map(({ status }) => status)).toEqual([400, 400, 400, 401, 400])
  })

  it('receives the events of a status from creation to deletion', async () => {
    const { alice, bob, asBob } = await fan()
    const socket = await listen(alice, { stream: 'user' })
    const id = await post(bob, 'A heorn')
    await socket.about('update', id)
    await asBob.v1.statuses.$select(id).update({ status: 'A heron' })
    const edited = await socket.about('status.update', id)
    expect(entityOf(edited, Status).content).toContain('A heron')
    await asBob.v1.statuses.$select(id).remove()
    expect((await socket.about('delete', id)).payload).toBe(id)
    expect(socket.kindsOf(id)).toEqual(['update', 'status.update', 'delete'])
  })

  it('closes with the client’s close frame', async () => {
    const alice = await newPerson('alice')
    const socket = await openSocket({ stream: 'user' }, bearer(alice))
    expect(await socket.close()).toMatchObject({ code: 1000 })
  })

  it('a socket is closed when its token is revoked, and no other', async () => {
    const site = { callback: 'https://hedge.example/callback' }
    const [app, other] = [await registerAt(site, 'Hedgerow'), await registerAt(site, 'Meadow')]
    const visitor = new Visitor()
    const member = await signUp(visitor, newMember('alice'))
    const enter = async ({ authorizeUrl, exchange }: Application) =>
      exchange((await authorize(visitor, member, authorizeUrl)).url.href)
    const [first, second] = [await enter(app), await enter(other)]
    const [ended, kept] = [
      await openSocket({ stream: 'user' }, bearer(first)),
      await openSocket({ stream: 'user' }, bearer(second)),
    ]
    open.add(kept)
    const stream = await openSource('user', first)
    await app.revoke(first.token)
    await stream.ended
    await ended.closed
    expect(await refusedWith({ stream: 'user' }, bearer(first))).toBe(401)
    const { id } = await mastoOf(second).v1.statuses.create({ status: 'Still in' })
    await kept.about('update', id)
  })
})

describe('events of the own account', () => {
  it('sends filters_changed once on each connection, for any number of keywords', async () => {
    const alice = await newPerson('alice')
    const { v1, v2 } = mastoOf(alice)
    const words = ['wren', 'robin', 'heron', 'egret']
    const filter = await v2.filters.create({
      title: 'Birds',
      context: ['home'],
      filterAction: 'warn',
      keywordsAttributes: words.map((keyword) => ({ keyword })),
    })
    const lines = await Promise.all([
      listen(alice, { stream: 'user' }),
      listen(alice, { stream: 'user', access_token: alice.token }, {}),
      source('user', alice),
    ])
    const [first, second, third, fourth] = filter.keywords.map(({ id }) => id)
    const changes = [
      { id: first, keyword: 'wrens' },
      { id: second, keyword: 'robins' },
      { id: third, _destroy: true },
      { id: fourth, keyword: 'egrets' },
      { keyword: 'stork' },
    ]
    const answer = await call(`/api/v2/filters/${filter.id}`, {
      method: 'PUT',
      as: alice,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Waders', keywords_attributes: changes }),
    })
    expect(answer.status).toBe(200)
    const { id } = await v1.statuses.create({ status: 'After all that' })
    for (const line of lines) {
      await line.about('update', id)
      await line.first('filters_changed', ({ event }) => event === 'filters_changed')
      expect(line.count('filters_changed')).toBe(1)
    }
    const payloads = lines.map(
      (line) => line.events.find(({ event }) => event === 'filters_changed')?.payload,
    )
    // An event source drops events without data, so there the data is an empty object.
    expect(payloads).toEqual([null, null, '{}'])
  })

  it('sets filtered on matches, and leaves out hidden ones', async () => {
    const { alice, bob, asAlice } = await fan()
    const socket = await listen(alice, { stream: 'user' })
    const make = (keyword: string, filterAction: 'warn' | 'hide') =>
      asAlice.v2.filters.create({
        title: keyword,
        context: ['home'],
        filterAction,
        keywordsAttributes: [{ keyword }],
      })
    const warned = await make('heron', 'warn')
    await make('egret', 'hide')
    const hidden = await post(bob, 'An egret')
    const marked = await post(bob, 'A heron')
    const { filtered } = entityOf(await socket.about('update', marked), Status)
    expect(filtered).toMatchObject([{ filter: { id: warned.id }, keyword_matches: ['heron'] }])
    expect(socket.kindsOf(hidden)).toEqual([])
  })

  it('leaves out muted and blocked accounts at once', async () => {
    const { alice, bob, asAlice } = await fan()
    const socket = await listen(alice, { stream: 'public:local' })
    const before = await post(bob, 'Heard')
    await socket.about('update', before)
    await asAlice.v1.accounts.$select(bob.id).mute()
    const hiddenPost = await post(bob, 'Unheard')
    await asAlice.v1.accounts.$select(bob.id).unmute()
    const after = await post(bob, 'Heard again')
    await socket.about('update', after)
    expect(socket.kindsOf(hiddenPost)).toEqual([])
  })
})

describe('the address of the streaming API', () => {
  it('the instance document leads to a socket', async () => {
    const alice = await newPerson('alice')
    const { configuration } = await mastoAnonymous().v2.instance.fetch()
    const base = String(configuration.urls.streaming)
    expect(base).toMatch(/^wss?:/)
    const socket = await openSocket({ stream: 'user' }, { ...bearer(alice), base })
    open.add(socket)
    await socket.about('update', await post(alice, 'Found'))
  })

  it('the streaming API has a health endpoint, and refuses a plain request', async () => {
    const health = await call('/api/v1/streaming/health')
    expect([health.status, await health.text()]).toEqual([200, 'OK'])
    expect(health.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await call('/api/v1/streaming')).status).toBe(404)
  })
})
