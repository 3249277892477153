import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { purgeAccount } from '../../src/domain/cleanup/purge-account'
import { dayMilliseconds } from '../../src/lib/days'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { addActiveTopics, addSubscriber, disconnectAll, FakeStreams } from '../support/fake-streams'
import { fediverse } from '../support/fediverse'
import { given, type TestAccount } from '../support/given'
import type { KnownPeer } from '../support/given-peer'
import { followed, importedStatus } from '../support/given-remote'
import { numbers } from '../support/masses'
import { clock, context } from '../support/test-app'

const streams = new FakeStreams()

beforeEach(async () => {
  await disconnectAll()
  streams.forget()
})

/** A remote author, and a local follower with an open stream. */
async function pair(): Promise<readonly [KnownPeer, TestAccount]> {
  const [peer, follower] = [await given.peer(), await given.account()]
  await followed(follower, peer)
  await addSubscriber(follower, 'user')
  return [peer, follower]
}

const glance = (events: Awaited<ReturnType<FakeStreams['messagesTo']>>) =>
  events.map(({ event, body }) => [event, Reflect.get(Object(body), 'uri') ?? null])

describe('activities of remote accounts', () => {
  it('publishes a remote status when it is posted, edited and deleted [T-730]', async () => {
    const [peer, follower] = await pair()
    const note = peer.note()
    await peer.send(peer.create(note))
    const [posted] = await streams.messagesTo(follower)
    const { id } = z.looseObject({ id: z.string() }).parse(posted?.body)
    expect(posted?.body).toEqual((await as(follower).get(`/api/v1/statuses/${id}`)).body)
    clock.advance(60_000)
    const updated = clock.now().toISOString()
    await peer.send(peer.update({ ...note, content: '<p>Two wrens.</p>', updated }))
    await peer.send(peer.delete(note.id))
    const events = await streams.messagesTo(follower)
    expect(events.map(({ event }) => event)).toEqual(['update', 'status.update', 'delete'])
    expect(events.at(-1)?.body).toBe(id)
  })

  it('publishes a remote status once when it arrives twice', async () => {
    const [peer, follower] = await pair()
    const create = peer.create(peer.note())
    await peer.send(create)
    await peer.send(create)
    expect(await streams.messagesTo(follower)).toHaveLength(1)
  })

  it('does not publish an old remote status', async () => {
    const [peer, follower] = await pair()
    const published = new Date(clock.now().getTime() - 2 * dayMilliseconds).toISOString()
    await peer.send(peer.create({ ...peer.note(), published }))
    expect(await streams.messagesTo(follower)).toEqual([])
  })

  it('publishes nothing for a new tally of a poll', async () => {
    const [peer, follower] = await pair()
    const question = peer.question()
    await peer.send(peer.create(question))
    streams.forget()
    await peer.send(peer.update(question))
    expect(await streams.messagesTo(follower)).toEqual([])
  })

  it('publishes a remote reblog of a local post, and its Undo', async () => {
    const [peer, follower] = await pair()
    const writer = await given.account()
    const { id } = await given.status({ by: writer })
    const announce = peer.announce(`${fediverse.local(writer).uri}/statuses/${id}`)
    await peer.send(announce)
    expect(await streams.messagesTo(follower)).toMatchObject([{ event: 'update', body: { reblog: { id } } }])
    await peer.send(peer.undo(announce))
    expect((await streams.messagesTo(follower)).map(({ event }) => event)).toEqual(['update', 'delete'])
  })
})

describe('posts fetched from another server', () => {
  it('does not publish fetched posts, which appear in timelines only', async () => {
    const [peer, follower] = await pair()
    await addActiveTopics('public')
    await importedStatus(peer)
    expect(await streams.messagesTo(follower)).toEqual([])
    expect(await streams.messagesOn('public')).toEqual([])
  })

  it('publishes replies that waited for a fetched post, and inserts them into feeds', async () => {
    const [peer, follower] = await pair()
    const first = peer.note()
    const answer = peer.note({ inReplyTo: first.id })
    await peer.send(peer.create(answer))
    expect(await streams.messagesTo(follower)).toEqual([])
    await peer.send(peer.create(first))
    expect(glance(await streams.messagesTo(follower)).toSorted()).toEqual(
      [
        ['update', answer.id],
        ['update', first.id],
      ].toSorted(),
    )
  })
})

describe('the posts of a deleted account', () => {
  it('the newest posts of a deleted account are published as deleted', async () => {
    const [peer, follower] = await pair()
    for (let count = 0; count < 25; count += 1) {
      clock.advance(1_000)
      await peer.send(peer.create(peer.note()))
    }
    streams.forget()
    await purgeAccount(context(), peer.id)
    const told = await streams.messagesTo(follower)
    expect(told.map(({ event }) => event)).toEqual(Array.from({ length: 10 }, () => 'delete'))
  })

  it('posts of a deleted account are published as deleted once each, in any number of parts', async () => {
    const [peer, follower] = await pair()
    const count = 205
    const from = context().ids.next()
    // Ids that count up belong to the future otherwise.
    clock.advance(1_000)
    await env.DB.prepare(`insert into statuses
        (id, account_id, uri, local, visibility, conversation_id, created_at)
      select ${from} + n.i, ${peer.id}, 'https://parts.test/' || n.i, 0, 'public', ${from} + n.i, ${clock.now().getTime()}
      from ${numbers(count)}`).run()
    await env.DB.prepare(`insert into home_entries (account_id, status_id)
      select ${follower.id}, ${from} + n.i from ${numbers(count)}`).run()
    streams.forget()
    const queue = fakeQueue()
    await purgeAccount(queue.ctx, peer.id)
    await queue.work()
    const told = await streams.messagesTo(follower)
    const newest = Array.from({ length: 10 }, (_, at) => ['delete', String(from + count - 10 + at)])
    expect(told.map(({ event, payload }) => [event, payload])).toEqual(newest)
  })

  it('posts of a deleted account are published to nobody without connections', async () => {
    const [peer] = await pair()
    await peer.send(peer.create(peer.note()))
    await disconnectAll()
    streams.forget()
    await purgeAccount(context(), peer.id)
    expect(streams.calls).toEqual([])
  })
})
