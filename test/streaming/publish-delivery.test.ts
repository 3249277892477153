import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { execute, openDb } from '../../src/db/query'
import { subscribersOfEvent } from '../../src/domain/streams/find-audience'
import type { LiveEvent } from '../../src/messages/live'
import { publish } from '../../src/streaming/publish'
import { as } from '../support/as'
import { type Costs, countingDb } from '../support/costs'
import { expectCosts } from '../support/expect-costs'
import { addActiveTopics, addSubscriber, disconnectAll, FakeStreams } from '../support/fake-streams'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { context, settleLateWork } from '../support/test-app'

const streams = new FakeStreams()

beforeEach(async () => {
  await disconnectAll()
  await settleLateWork()
  streams.forget()
})

async function followersOf(author: TestAccount, count: number): Promise<readonly TestAccount[]> {
  const followers = await given.accounts(count)
  await Promise.all(followers.map((follower) => relation.follow(follower, author)))
  return followers
}

const postAs = (author: TestAccount) => as(author).post('/api/v1/statuses', { status: 'A wren.' })

/** Tells news about a status again, with the costs at the database. */
async function published(news: LiveEvent): Promise<Costs> {
  const counted = countingDb(env.DB)
  const ctx = { ...context(), db: openDb(counted.db) }
  const audience = await execute(context().db, subscribersOfEvent(ctx, news))
  await publish(ctx, streams.objects, [{ news, audience }])
  return counted.read()
}

describe('costs of publishing a status', () => {
  it('costs no round trip and no call without subscribers: one statement looks for them', async () => {
    const author = await given.account()
    await followersOf(author, 3)
    const quiet = await postAs(author)
    expect(quiet.costs.trips).toBeLessThanOrEqual(4)
    expect(streams.calls).toEqual([])
    await addSubscriber(author, 'user')
    // Subscribers receive the status after the answer, which waits for nothing.
    const heard = await postAs(author)
    expect(heard.costs).toMatchObject({ trips: quiet.costs.trips, statements: quiet.costs.statements })
    expect(await streams.messagesTo(author)).toHaveLength(1)
  })

  it('costs one round trip and a call each for a hundred connected followers', async () => {
    const author = await given.account()
    const followers = await followersOf(author, 100)
    await Promise.all(followers.map((one) => addSubscriber(one, 'user', 'user:notification', 'direct')))
    const { id } = await given.status({ by: author })
    expect(new Set(await streams.callsOf('deliver')).size).toBe(100)
    expect(streams.calls).toHaveLength(100)
    streams.forget()
    const costs = await published({ kind: 'status.posted', statusId: Number(id) })
    expectCosts(costs, { trips: 1, statements: 2, rowsWritten: 0 })
    // A few for the status, and how each of them stands to it.
    expect(costs.rowsRead).toBeLessThanOrEqual(10 + 8 * 100)
    expect(streams.calls).toHaveLength(100)
  })

  it('costs one round trip for all events of a request, and one call for each subscriber', async () => {
    const [author, fan] = [await given.account(), await given.account()]
    for (const person of [author, fan]) await addSubscriber(person, 'user', 'user:notification')
    await relation.follow(fan, author)
    await addActiveTopics('public', 'public:local')
    await given.status({ by: author, text: `@${fan.username}` })
    await settleLateWork()
    expect(await streams.callsOf('deliver')).toHaveLength(2)
    expect((await streams.messagesTo(fan)).map(({ event }) => event).toSorted()).toEqual([
      'notification',
      'update',
    ])
    expect((await streams.callsOf('spread')).toSorted()).toEqual(['topic public', 'topic public:local'])
  })
})

describe('a call that fails', () => {
  it('a failed call is repeated with the same messages', async () => {
    const author = await given.account()
    await addSubscriber(author, 'user')
    streams.failures = 2
    await given.status({ by: author })
    expect(await streams.messagesTo(author)).toHaveLength(1)
  })

  it('a repeated call has the same key, so that an event that arrived is not sent twice', async () => {
    const author = await given.account()
    await addSubscriber(author, 'user')
    Object.assign(streams, { failures: 1, failsAfterDelivery: true })
    await given.status({ by: author })
    const told = await streams.messagesTo(author)
    streams.failsAfterDelivery = false
    expect(told).toHaveLength(2)
    expect(new Set(told.map(({ key }) => key)).size).toBe(1)
  })

  it('a call is given up after some attempts and logged, and other accounts still receive it', async () => {
    const [author, other] = [await given.account(), await given.account()]
    await relation.follow(other, author)
    const { id } = await given.status({ by: author })
    for (const person of [author, other]) await addSubscriber(person, 'user')
    const logged: string[] = []
    const log = { info: () => undefined, error: (message: string) => void logged.push(message) }
    const news = { kind: 'status.posted', statusId: Number(id) } as const
    const audience = await execute(context().db, subscribersOfEvent(context(), news))
    const broken = {
      ...streams.objects,
      connection: (account: number) => {
        if (account === author.id) throw new Error('The object broke')
        return streams.objects.connection(account)
      },
    }
    await publish({ ...context(), log }, broken, [{ news, audience }])
    expect(logged).toEqual(['Failed to publish a stream event'])
    expect(streams.calls.map(({ object }) => object)).toEqual([`account ${other.id}`])
  })

  it('a failing database round trip publishes nothing, and throws nothing', async () => {
    const author = await given.account()
    const { id } = await given.status({ by: author })
    await addSubscriber(author, 'user')
    const logged: string[] = []
    const log = { info: () => undefined, error: (message: string) => void logged.push(message) }
    const fail = () => Promise.reject(new Error('The database is away'))
    const away = (target: D1Database, key: string | symbol) =>
      key === 'batch' ? fail : (text: string) => target.prepare(text)
    const gone = openDb(new Proxy(env.DB, { get: away }))
    const audience = [{ accountId: author.id, channel: 'user' }]
    const news = { kind: 'status.posted', statusId: Number(id) } as const
    await publish({ ...context(), db: gone, log }, streams.objects, [{ news, audience }])
    expect(logged).toHaveLength(1)
    expect(streams.calls).toEqual([])
  })
})

describe('an event that cannot be rendered', () => {
  it('an event that cannot be rendered is logged, and others are sent', async () => {
    const person = await given.account()
    const audience = [{ accountId: person.id, channel: '' }]
    const logged: string[] = []
    const log = { info: () => undefined, error: (message: string) => void logged.push(message) }
    const ids = {
      next: () => {
        throw new Error('There is no name left')
      },
    }
    const told = (['filters.changed', 'standing.changed'] as const).map((kind) => ({
      news: { kind, accountId: person.id },
      audience,
    }))
    await publish({ ...context(), ids, log }, streams.objects, told)
    expect(logged).toEqual(['Failed to publish a stream event'])
    expect(streams.calls.map(({ method }) => method)).toEqual(['clearRules', 'recheck'])
  })
})

describe('events of an account', () => {
  it.each([
    ['rules.changed', 'clearRules'],
    ['standing.changed', 'recheck'],
  ] as const)('%s calls %s', async (kind, method) => {
    const person = await given.account()
    const audience = [{ accountId: person.id, channel: '' }]
    await publish(context(), streams.objects, [{ news: { kind, accountId: person.id }, audience }])
    expect(streams.calls.map((call) => [call.object, call.method])).toEqual([
      [`account ${person.id}`, method],
    ])
  })

  it('sessions.ended ends the connections of those tokens', async () => {
    const person = await given.account()
    const news = { kind: 'sessions.ended', accountId: person.id, tokenIds: [5, 6] } as const
    await publish(context(), streams.objects, [{ news, audience: [{ accountId: person.id, channel: '' }] }])
    expect(streams.calls).toMatchObject([{ object: `account ${person.id}`, method: 'end', tokenIds: [5, 6] }])
  })

  it('events of an account are published only to connected accounts', async () => {
    const news = { kind: 'sessions.ended', accountId: 1, tokenIds: null } as const
    await publish(context(), streams.objects, [{ news, audience: [] }])
    expect(streams.calls).toEqual([])
  })
})

describe('a status that is deleted or hidden before it is published', () => {
  it('a status that is deleted before it is published is sent to nobody', async () => {
    const [author, follower] = [await given.account(), await given.account()]
    await relation.follow(follower, author)
    for (const person of [author, follower]) await addSubscriber(person, 'user')
    const { id } = await given.status({ by: author })
    await settleLateWork()
    streams.forget()
    await as(author).delete(`/api/v1/statuses/${id}`)
    await settleLateWork()
    streams.forget()
    const news = { kind: 'status.posted', statusId: Number(id) } as const
    const audience = [author, follower].map((person) => ({ accountId: person.id, channel: 'user' }))
    await publish(context(), streams.objects, [{ news, audience }])
    expect(streams.calls).toEqual([])
  })

  it('a status is published only to accounts that may see it, even where others are found as subscribers', async () => {
    const [author, stranger] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: author, visibility: 'private' })
    const audience = [author, stranger].map((person) => ({ accountId: person.id, channel: 'user' }))
    const shared = [{ accountId: null, channel: 'public' }]
    const news = { kind: 'status.posted', statusId: Number(id) } as const
    await publish(context(), streams.objects, [{ news, audience: [...audience, ...shared] }])
    expect(streams.calls.map(({ object }) => object)).toEqual([`account ${author.id}`])
  })
})
