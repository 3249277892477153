import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openDb } from '../../src/db/query'
import { notifications, relays, remoteActors, statuses } from '../../src/db/schema'
import { operator } from '../../src/domain/policy/permissions'
import { deleteRelay, disableRelay } from '../../src/domain/relays/change'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { sentByCouriers } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { addActiveTopics, disconnectAll, FakeStreams } from '../support/fake-streams'
import { fediverse } from '../support/fediverse'
import { freshName, given } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { relation } from '../support/given-relationships'
import { acceptedRelay, answerOf, askedAgain, pendingRelay, type TestRelay } from '../support/given-relay'
import { runJob } from '../support/run-job'
import { clock, context } from '../support/test-app'

afterEach(async () => {
  await context().db.delete(relays)
  await disconnectAll()
})

const streams = new FakeStreams()

const Made = z.object({ id: z.string() })

async function stateOf({ id }: TestRelay): Promise<string | undefined> {
  const [row] = await context().db.select().from(relays).where(eq(relays.id, id))
  return row?.state
}

async function storedAt(uri: string) {
  return context().db.select().from(statuses).where(eq(statuses.uri, uri))
}

/** Delivers an activity of the relay, and runs the jobs that it causes. */
async function passOn({ peer }: TestRelay, activity: Parameters<typeof peer.send>[0]) {
  const queue = fakeQueue()
  const reply = await peer.send(activity, { overrides: { jobs: queue.ctx.jobs } })
  expect(reply.status).toBe(202)
  return { reply, outcomes: await queue.work() }
}

describe('the subscription to a relay', () => {
  it('sends a Follow of the public collection by the instance actor, and its Undo at the end', async () => {
    const relay = await acceptedRelay()
    await disableRelay(context(), operator, relay.id)
    await sentByCouriers()
    const [follow, undo, ...more] = relay.peer.received()
    expect(follow).toMatchObject({
      id: relay.followUri,
      type: 'Follow',
      actor: 'https://fieldfare.test/actor',
      object: 'https://www.w3.org/ns/activitystreams#Public',
    })
    expect(undo).toMatchObject({
      type: 'Undo',
      actor: 'https://fieldfare.test/actor',
      object: { id: relay.followUri, type: 'Follow', object: 'https://www.w3.org/ns/activitystreams#Public' },
    })
    expect(more).toEqual([])
    for (const { url, headers } of relay.peer.deliveries()) {
      expect(url).toBe(relay.peer.inbox)
      expect(headers.get('signature')).toContain('keyId="https://fieldfare.test/actor#main-key"')
    }
    expect(await stateOf(relay)).toBe('idle')
  })

  it('sends an Undo when an accepted or pending relay is deleted, and none after a Reject', async () => {
    for (const [answer, types] of [
      ['Accept', ['Follow', 'Undo']],
      [null, ['Follow', 'Undo']],
      ['Reject', ['Follow']],
    ] as const) {
      const relay = await pendingRelay()
      if (answer !== null) await relay.peer.send(answerOf(relay, answer))
      await deleteRelay(context(), operator, relay.id)
      await sentByCouriers()
      expect(relay.peer.received().map(({ type }) => type)).toEqual(types)
      expect(await stateOf(relay)).toBeUndefined()
    }
  })

  it.each([
    ['Accept', 'accepted'],
    ['Reject', 'rejected'],
  ] as const)('the subscription becomes, after %s: %s', async (type, state) => {
    const relay = await pendingRelay()
    expect((await relay.peer.send(answerOf(relay, type))).status).toBe(202)
    expect(await stateOf(relay)).toBe(state)
  })

  it('a later Reject or the Undo of the Accept ends the subscription', async () => {
    const relay = await acceptedRelay()
    await relay.peer.send(answerOf(relay, 'Reject'))
    expect(await stateOf(relay)).toBe('rejected')
    const other = await acceptedRelay()
    const accept = answerOf(other, 'Accept')
    await other.peer.send({ ...accept, id: `${accept.id}/undo`, type: 'Undo', object: accept })
    expect(await stateOf(other)).toBe('rejected')
  })

  it('ignores answers of anybody but the relay', async () => {
    const relay = await pendingRelay()
    const neighbour = await given.peer({ host: relay.peer.host })
    const stranger = await given.peer()
    const impostor = await fediverse.actor({ document: { inbox: relay.peer.inbox } })
    const otherRelay = await acceptedRelay()
    for (const sender of [neighbour, stranger, impostor, otherRelay.peer]) {
      await sender.send(answerOf(relay, 'Accept', sender))
      await sender.send(answerOf(relay, 'Accept'))
      expect(await stateOf(relay)).toBe('pending')
    }
    expect(await stateOf(otherRelay)).toBe('accepted')
  })

  it('accepts only answers with the id of the current Follow', async () => {
    const old = await pendingRelay()
    const relay = await askedAgain(old)
    expect(relay.followUri).not.toBe(old.followUri)
    await relay.peer.send(answerOf(old, 'Accept'))
    const made = {
      ...answerOf(relay, 'Accept'),
      object: { type: 'Follow', actor: 'https://fieldfare.test/actor' },
    }
    await relay.peer.send(made)
    expect(await stateOf(relay)).toBe('pending')
    await relay.peer.send({ ...made, object: relay.followUri })
    expect(await stateOf(relay)).toBe('accepted')
    await disableRelay(context(), operator, relay.id)
    await relay.peer.send({ ...made, id: `${made.id}/again`, object: relay.followUri })
    expect(await stateOf(relay)).toBe('idle')
  })
})

describe('statuses for an accepted relay', () => {
  const bodies = {
    public: {},
    unlisted: { visibility: 'unlisted' },
    private: { visibility: 'private' },
    direct: { visibility: 'direct' },
    'local-only': { local_only: true },
  }

  it.each(Object.entries(bodies))('sends permitted %s statuses', async (kind, body) => {
    const relay = await acceptedRelay()
    const silent = await pendingRelay()
    const alice = await given.account()
    const secret = `${freshName('nightjar')}x`
    const { id } = Made.parse((await as(alice).post('/api/v1/statuses', { ...body, status: secret })).body)
    await sentByCouriers()
    await as(alice).put(`/api/v1/statuses/${id}`, { status: `${secret} again` })
    await as(alice).post(`/api/v1/statuses/${id}/reblog`)
    await as(alice).post(`/api/v1/statuses/${id}/pin`)
    await sentByCouriers()
    await as(alice).delete(`/api/v1/statuses/${id}`)
    await sentByCouriers()
    const types = relay.peer
      .received()
      .filter((activity) => JSON.stringify(activity).includes(`/statuses/${id}`))
      .map(({ type }) => type)
    expect(types).toEqual(kind === 'public' ? ['Create', 'Update', 'Delete'] : [])
    const traces = relay.peer.deliveries().filter(({ body: text }) => text.includes(secret))
    expect(traces.length > 0).toBe(kind === 'public')
    expect(silent.peer.received().map(({ type }) => type)).toEqual(['Follow'])
  })

  it('sends nothing after the relay was left, rejected, or its server was suspended', async () => {
    const [left, rejected, suspended] = [await acceptedRelay(), await acceptedRelay(), await acceptedRelay()]
    await disableRelay(context(), operator, left.id)
    await rejected.peer.send(answerOf(rejected, 'Reject'))
    await domainLimit(suspended.peer.host, 'suspend')
    await given.status({ by: await given.account() })
    await sentByCouriers()
    for (const { peer } of [left, rejected, suspended])
      expect(peer.received().map(({ type }) => type)).not.toContain('Create')
  })

  it('sends a status once, also where the relay is a follower', async () => {
    const relay = await acceptedRelay()
    const alice = await given.account()
    await relation.follow(relay.peer, alice)
    const { accountId } = remoteActors
    await context().db.update(remoteActors).set({ sharedInbox: null }).where(eq(accountId, relay.peer.id))
    await given.status({ by: alice })
    await sentByCouriers()
    expect(relay.peer.deliveries().filter(({ body }) => body.includes('"Create"'))).toHaveLength(1)
  })

  it('adds no statement to the request of the posting member', async () => {
    const alice = await given.account()
    const before = await as(alice).post('/api/v1/statuses', { status: 'one' })
    await acceptedRelay()
    const { costs } = await as(alice).post('/api/v1/statuses', { status: 'two' })
    expect(costs.statements).toBe(before.costs.statements)
    expect(costs.trips).toBe(before.costs.trips)
  })
})

describe('a status that a relay passes on', () => {
  const publicUris = async () => {
    const { body } = await as(await given.account()).get('/api/v1/timelines/public?remote=true')
    return z
      .array(z.object({ uri: z.string() }))
      .parse(body)
      .map(({ uri }) => uri)
  }

  it.each(['Announce', 'Create'])(
    'fetches, stores and indexes a relayed status by %s, without a reblog',
    async (type) => {
      const relay = await acceptedRelay()
      const author = await given.peer()
      const tag = freshName('relayed')
      const note = author.note({ hashtags: [tag] })
      await addActiveTopics('public', 'public:remote')
      streams.forget()
      const activity =
        type === 'Announce'
          ? { ...relay.peer.announce(note.id), to: [relay.peer.followers], cc: [] }
          : author.create(note)
      expect((await passOn(relay, activity)).outcomes).toEqual(['done'])
      expect(await storedAt(note.id)).toMatchObject([{ accountId: author.id, visibility: 'public' }])
      expect(await publicUris()).toContain(note.id)
      expect(await streams.messagesOn('public')).toMatchObject([{ event: 'update', body: { uri: note.id } }])
      const tagged = await as(await given.account()).get(`/api/v1/timelines/tag/${tag}`)
      expect(tagged.body).toMatchObject([{ uri: note.id, reblogs_count: 0 }])
      const byRelay = await context().db.select().from(statuses).where(eq(statuses.accountId, relay.peer.id))
      expect(byRelay).toEqual([])
      expect((await passOn(relay, activity)).outcomes).toEqual([])
    },
  )

  it('does not trust an embedded copy of the object', async () => {
    const relay = await acceptedRelay()
    const author = await given.peer()
    const forged = author.note({ content: '<p>Forged.</p>', served: false })
    for (const activity of [relay.peer.announce(forged), author.create(forged)]) await passOn(relay, activity)
    expect(await storedAt(forged.id)).toEqual([])
  })

  it('does not store a relayed status that is not public', async () => {
    const relay = await acceptedRelay()
    const author = await given.peer()
    for (const visibility of ['unlisted', 'private'] as const) {
      const note = author.note({ visibility })
      expect((await passOn(relay, relay.peer.announce(note.id))).outcomes).toEqual(['ignored'])
      expect(await storedAt(note.id)).toEqual([])
    }
  })

  it('a relayed status of a local author changes nothing', async () => {
    const relay = await acceptedRelay()
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const { uri } = fediverse.local(alice)
    expect((await passOn(relay, relay.peer.announce(`${uri}/statuses/${id}`))).outcomes).toEqual([])
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ reblogs_count: 0 })
    const told = await context().db.select().from(notifications).where(eq(notifications.accountId, alice.id))
    expect(told).toEqual([])
  })

  it('does not fetch a relayed status of a suspended server', async () => {
    const relay = await acceptedRelay()
    const author = await given.peer()
    await domainLimit(author.host, 'suspend')
    const note = author.note()
    const mark = fediverse.network.mark()
    expect((await passOn(relay, relay.peer.announce(note.id))).outcomes).toEqual(['ignored'])
    expect(fediverse.network.since(mark).filter(({ url }) => url.includes(author.host))).toEqual([])
    expect(await storedAt(note.id)).toEqual([])
  })

  it('does not fetch a relayed status at a private address', async () => {
    const relay = await acceptedRelay()
    for (const address of ['http://127.0.0.1/1', 'https://10.0.0.1/1', 'https://printer.local/1']) {
      const mark = fediverse.network.mark()
      await passOn(relay, relay.peer.announce(address))
      expect(fediverse.network.since(mark).filter(({ method }) => method === 'GET')).toEqual([])
    }
  })

  it('ignores a relay without subscription, also for a local author', async () => {
    const author = await given.peer()
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const own = `${fediverse.local(alice).uri}/statuses/${id}`
    const [pending, rejected, left, gone] = [
      await pendingRelay(),
      await acceptedRelay(),
      await acceptedRelay(),
      await acceptedRelay(),
    ]
    await rejected.peer.send(answerOf(rejected, 'Reject'))
    await disableRelay(context(), operator, left.id)
    await deleteRelay(context(), operator, gone.id)
    for (const relay of [pending, rejected, left, gone]) {
      const note = author.note()
      for (const activity of [relay.peer.announce(note.id), author.create(note)])
        expect((await passOn(relay, activity)).outcomes).toEqual([])
      expect(await storedAt(note.id)).toEqual([])
    }
    for (const relay of [pending, rejected, left]) await passOn(relay, relay.peer.announce(own))
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ reblogs_count: 0 })
  })

  it('the job does not fetch a status of a relay that was left in the meantime', async () => {
    const relay = await acceptedRelay()
    const note = (await given.peer()).note()
    const queue = fakeQueue()
    await relay.peer.send(relay.peer.announce(note.id), { overrides: { jobs: queue.ctx.jobs } })
    expect(queue.jobs).toEqual([{ kind: 'fetch-relayed-status', relayId: relay.id, statusUri: note.id }])
    await disableRelay(context(), operator, relay.id)
    expect(await queue.work()).toEqual(['ignored'])
    expect(await storedAt(note.id)).toEqual([])
  })

  it('the delivery of a relayed status costs two round trips and few rows', async () => {
    const relay = await acceptedRelay()
    const author = await given.peer()
    await passOn(relay, relay.peer.announce(author.note().id))
    const { reply } = await passOn(relay, relay.peer.announce(author.note().id))
    expect(reply.costs.trips).toBeLessThanOrEqual(2)
    expect(reply.costs.rowsWritten).toBe(0)
    expect(reply.costs.rowsRead).toBeLessThanOrEqual(10)
  })

  it('a relayed status counts for the budget of relays instead of that of an actor', async () => {
    const relay = await acceptedRelay()
    const author = await given.peer()
    const { memory } = context()
    const later = String(clock.now().getTime() + 60_000)
    memory.set(`actor spent by ${relay.peer.id}`, later, 60)
    await passOn(relay, relay.peer.announce(author.note().id))
    memory.set(`relay spent by ${relay.peer.id}`, later, 60)
    expect((await relay.peer.send(relay.peer.announce(author.note().id))).status).toBe(429)
    const ordinary = await given.peer()
    memory.set(`actor spent by ${ordinary.id}`, later, 60)
    expect((await ordinary.send(ordinary.announce(author.note().id))).status).toBe(429)
  })

  it('the job that stores a relayed status costs few rows', async () => {
    const relay = await acceptedRelay()
    const author = await given.peer()
    const counted = countingDb(env.DB)
    const ctx = context({ db: openDb(counted.db) })
    const job = { kind: 'fetch-relayed-status', relayId: relay.id, statusUri: author.note().id } as const
    expect(await runJob(ctx, job)).toEqual({ kind: 'done' })
    expect(counted.read().rowsWritten).toBeLessThanOrEqual(8)
    expect(counted.read().trips).toBeLessThanOrEqual(8)
  })
})
