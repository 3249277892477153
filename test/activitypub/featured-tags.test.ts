import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { featuredTags, remoteActors } from '../../src/db/schema'
import { as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { freshName, given, type TestAccount } from '../support/given'
import type { KnownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { context } from '../support/test-app'

const everybody = 'https://www.w3.org/ns/activitystreams#Public'

async function shownOf(reader: TestAccount, peer: KnownPeer) {
  const { body } = await as(reader).get(`/api/v1/accounts/${peer.id}/featured_tags`)
  return (body as { name: string; statuses_count: string }[]).map(({ name }) => name)
}

const hashtag = (name: string) => ({ type: 'Hashtag', href: 'https://elsewhere.test/t', name: `#${name}` })

describe('a featured hashtag of a local account', () => {
  it('featuring a hashtag sends followers an Add and a Remove of a Hashtag, once each, like Mastodon', async () => {
    const [alice, follower] = [await given.account(), await given.peer()]
    await relation.follow(follower, alice)
    const name = freshName('Bird')
    const { body } = await as(alice).post('/api/v1/featured_tags', { name })
    await as(alice).post('/api/v1/featured_tags', { name })
    await sentByCouriers()
    await as(alice).delete(`/api/v1/featured_tags/${(body as { id: string }).id}`)
    await sentByCouriers()
    const actor = `https://fieldfare.test/users/${alice.username}`
    const href = `https://fieldfare.test/@${alice.username}/tagged/${name.toLowerCase()}`
    const delivered = {
      actor,
      target: `${actor}/collections/featured`,
      to: [everybody],
      object: { type: 'Hashtag', href, name: `#${name}` },
    }
    expect(follower.received()).toMatchObject([
      { type: 'Add', ...delivered },
      { type: 'Remove', ...delivered },
    ])
  })

  it('a hashtag unfeatured before its delivery is not delivered', async () => {
    const [alice, follower] = [await given.account(), await given.peer()]
    await relation.follow(follower, alice)
    await context().delivery.federate({ kind: 'tag.featured', accountId: alice.id, featuredId: 1 }, 7)
    await sentByCouriers()
    expect(follower.received()).toEqual([])
  })
})

describe('a featured hashtag of a remote account', () => {
  it('an Add features a remote hashtag once and counts earlier posts with it, and a Remove ends that', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    await relation.follow(reader, peer)
    const name = freshName('Bird')
    await peer.send(peer.create(peer.note({ hashtags: [name] })))
    for (let twice = 0; twice < 2; twice += 1)
      await peer.send(peer.activity('Add', hashtag(name), { target: peer.at.featured }))
    await peer.send(peer.create(peer.note({ hashtags: [name] })))
    const { body } = await as(reader).get(`/api/v1/accounts/${peer.id}/featured_tags`)
    expect(body).toMatchObject([{ name, statuses_count: '2' }])
    await peer.send(
      peer.activity('Remove', hashtag(name.toUpperCase()), { target: { id: peer.at.featured } }),
    )
    expect(await shownOf(reader, peer)).toEqual([])
  })

  it.each([
    ['another collection', freshName('bird'), 'https://elsewhere.test/collections/featured'],
    ['no hashtag', 'two words', null],
    ['nothing', '', null],
    ['a name without end', 'x'.repeat(5_000), null],
    ['a number', '2024', null],
    ['markup', '<b>bird</b>', null],
  ])('refuses to feature a remote hashtag where it is %s', async (_what, name, target) => {
    const peer = await given.peer()
    const activity = peer.activity('Add', hashtag(name), { target: target ?? peer.at.featured })
    const answer = await peer.send(activity)
    expect(answer).toMatchObject({ status: 202, costs: { rowsWritten: 0 } })
    const rows = await context().db.select().from(featuredTags).where(eq(featuredTags.accountId, peer.id))
    expect(rows).toEqual([])
  })

  it('stores ten featured hashtags of a remote account at most, with few rows', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    const add = () => peer.activity('Add', hashtag(freshName('bird')), { target: peer.at.featured })
    for (let count = 0; count < 11; count += 1) {
      const { costs } = await peer.send(add())
      expect(costs.trips).toBeLessThanOrEqual(3)
      expect(costs.rowsRead).toBeLessThanOrEqual(60)
    }
    expect(await shownOf(reader, peer)).toHaveLength(10)
  })

  it('fetching posts also fetches the list of featured hashtags: ten at most, and removed ones are deleted', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    const list = `${peer.uri}/collections/tags`
    await context()
      .db.update(remoteActors)
      .set({ featuredTags: list })
      .where(eq(remoteActors.accountId, peer.id))
    const old = freshName('old')
    await peer.send(peer.activity('Add', hashtag(old), { target: peer.at.featured }))
    const names = Array.from({ length: 12 }, () => freshName('Bird'))
    const items = [
      7,
      'https://elsewhere.test/1',
      { type: 'Note' },
      hashtag('no hashtag'),
      ...names.map(hashtag),
    ]
    fediverse.network.serve(list, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: list,
      type: 'Collection',
      totalItems: items.length,
      items,
    })
    await backfill(peer)
    expect((await shownOf(reader, peer)).toSorted()).toEqual(names.slice(0, 7).toSorted())
  })

  it('keeps featured hashtags when their list cannot be fetched', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    const list = `${peer.uri}/collections/tags`
    await context()
      .db.update(remoteActors)
      .set({ featuredTags: list })
      .where(eq(remoteActors.accountId, peer.id))
    const name = freshName('bird')
    await peer.send(peer.activity('Add', hashtag(name), { target: peer.at.featured }))
    fediverse.network.missing(list)
    await backfill(peer)
    expect(await shownOf(reader, peer)).toEqual([name])
  })
})

async function backfill(peer: KnownPeer) {
  const { ctx, work } = fakeQueue()
  await ctx.jobs.send({ kind: 'backfill-account', accountId: peer.id })
  await work()
}
