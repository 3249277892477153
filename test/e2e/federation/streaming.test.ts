import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Notification } from '../../../src/contract/entities/notification'
import { Status } from '../../../src/contract/entities/status'
import { Conversation } from '../../../src/contract/entities/timelines'
import { entityOf, type ReceivedEvent } from '../support/received-events'
import { bearer, openSocket, type Socket } from '../support/socket'
import { as, follows } from './support/api'
import type { Instance, Person } from './support/instance'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance
let b: Instance
const open = new Set<Socket>()

beforeAll(async () => {
  world = await openWorld('a', 'b')
  a = world.instance('a')
  b = world.instance('b')
})
afterEach(() => {
  for (const socket of open) socket.vanish()
  open.clear()
})
afterAll(() => world?.close())

async function listen(person: Person, query: Readonly<Record<string, string>>): Promise<Socket> {
  const socket = await openSocket(query, { ...bearer(person), base: await person.instance.address() })
  open.add(socket)
  return socket
}

let made = 0
/** Alice, of one server, follows Bob, of the other. */
async function acquainted() {
  made += 1
  const [alice, bob] = await Promise.all([a.member(`alice${made}`), b.member(`bob${made}`)])
  await follows(alice, bob)
  return { alice, bob }
}

/** Fits what is told of the status with this address. */
function of(uri: string, event: string) {
  return (received: ReceivedEvent) =>
    received.event === event && received.payload?.includes(`"uri":"${uri}"`) === true
}

describe('events on another server', () => {
  it('a post, its edit and its deletion on another server arrive at once', async () => {
    const { alice, bob } = await acquainted()
    const socket = await listen(alice, { stream: 'user' })
    socket.subscribe('public:remote')
    socket.subscribe('public:local')
    await socket.settled()
    const written = await as(bob).write('A heorn')
    const came = entityOf(await socket.first('the post', of(written.uri, 'update')), Status)
    expect(came).toMatchObject({ uri: written.uri, account: { acct: bob.handle } })
    await as(bob).put(`/api/v1/statuses/${written.id}`, Status, { status: 'A heron' })
    const edited = entityOf(await socket.first('the edit', of(written.uri, 'status.update')), Status)
    expect(edited.content).toContain('A heron')
    await as(bob).erase(written.id)
    await socket.until('both deletions', () => socket.kindsOf(came.id).length >= 6)
    const told = socket.events.map(({ stream, event }) => `${stream} ${event}`)
    expect(told.filter((one) => one.startsWith('user '))).toEqual([
      'user update',
      'user status.update',
      'user delete',
    ])
    expect(told.filter((one) => one.startsWith('public:remote '))).toHaveLength(3)
    expect(told.filter((one) => one.startsWith('public:local '))).toEqual([])
  })

  it('streams mentions and direct posts from there', async () => {
    const { alice, bob } = await acquainted()
    const [home, direct] = [
      await listen(alice, { stream: 'user' }),
      await listen(alice, { stream: 'direct' }),
    ]
    const { uri } = await as(bob).write(`@${alice.handle} psst`, { visibility: 'direct' })
    const notice = await home.first('the mention', of(uri, 'notification'))
    expect(entityOf(notice, Notification)).toMatchObject({
      type: 'mention',
      status: { uri, visibility: 'direct' },
      account: { acct: bob.handle },
    })
    const conversation = await direct.first('the conversation', of(uri, 'conversation'))
    expect(entityOf(conversation, Conversation)).toMatchObject({ unread: true, last_status: { uri } })
  })
})

describe('a restarted runtime', () => {
  it('a restarted runtime closes its sockets, and a reconnected client receives everything once from then on', async () => {
    const { alice, bob } = await acquainted()
    const before = await listen(alice, { stream: 'user' })
    const first = await as(bob).write('Before')
    await before.first('the post', of(first.uri, 'update'))
    await a.restart()
    await before.closed
    const missed = await as(bob).write('Meanwhile')
    const after = await listen(alice, { stream: 'user' })
    const second = await as(bob).write('After')
    await after.first('the post', of(second.uri, 'update'))
    const own = await as(alice).write('Back again')
    await after.first('the own post', of(own.uri, 'update'))
    const times = (uri: string) => after.events.filter(of(uri, 'update')).length
    expect([times(first.uri), times(second.uri), times(own.uri)]).toEqual([0, 1, 1])
    // A status that came while no stream was open is in the timeline.
    const home = (await as(alice).home()).map(({ uri }) => uri)
    expect(home.toSorted()).toEqual([first.uri, missed.uri, second.uri, own.uri].toSorted())
  })
})
