import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../src/contract/entities/status'
import { collections, statuses } from '../../src/db/schema'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { storedCollection } from '../support/given-collection'
import type { KnownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { clock, context } from '../support/test-app'

/** Collections of accounts that posts link, named between servers as tags (FEP-7aa9). */

const { network } = fediverse

let alice: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  peer = await given.peer()
  await relation.follow(alice, peer)
})

const uriOf = (owner: { readonly username: string }, id: number) =>
  `https://fieldfare.test/users/${owner.username}/collections/${id}`
const tag = (id: string) => ({ type: 'FeaturedCollection', id, name: 'Birds' })

const linking = (tags: readonly object[]) => ({ ...peer.note(), tag: tags })

/** A collection of `peer` that one of ours is in. */
async function foreignCollection(owner: KnownPeer = peer) {
  const made = await storedCollection({ by: owner, of: [alice] })
  const uri = owner.freshId('collections')
  await context().db.update(collections).set({ uri, url: uri }).where(eq(collections.id, made.id))
  return { ...made, uri }
}

async function linkedBy(uri: string, who: TestAccount = alice) {
  const { db } = context()
  const [held] = await db.select({ id: statuses.id }).from(statuses).where(eq(statuses.uri, uri))
  const status = Status.parse((await as(who).get(`/api/v1/statuses/${held?.id}`)).body)
  return status.tagged_collections.map((one) => Number(one.id))
}

const Tagged = z.looseObject({ tag: z.array(z.looseObject({ type: z.string() })) })

async function tagsOf(uri: string) {
  const { tag: tags } = Tagged.parse((await fetchDocument(uri)).body)
  return tags.filter(({ type }) => type === 'FeaturedCollection')
}

describe('a local post that links a collection', () => {
  it('names the collection in a tag, by its id and its name', async () => {
    const [local, theirs] = [await storedCollection({ by: alice, name: 'Owls' }), await foreignCollection()]
    const text = [local, theirs].map(({ id }) => `https://fieldfare.test/collections/${id}`).join(' ')
    const made = Status.parse((await as(alice).post('/api/v1/statuses', { status: text })).body)
    expect(await tagsOf(made.uri)).toEqual([
      { type: 'FeaturedCollection', id: uriOf(alice, local.id), name: 'Owls' },
      { type: 'FeaturedCollection', id: theirs.uri, name: 'Birds' },
    ])
    await as(alice).put(`/api/v1/statuses/${made.id}`, { status: 'never mind' })
    expect(await tagsOf(made.uri)).toEqual([])
  })

  it('does not name a collection of an account its readers block', async () => {
    const suspended = await given.account({ suspendedAt: new Date(0) })
    const { id } = await storedCollection({ by: suspended })
    const text = `https://fieldfare.test/collections/${id}`
    const made = Status.parse((await as(alice).post('/api/v1/statuses', { status: text })).body)
    expect(await tagsOf(made.uri)).toEqual([])
  })
})

describe('a post of another server that names a collection', () => {
  it('shows each stored collection once, local or remote', async () => {
    const [local, theirs] = [await storedCollection({ by: alice }), await foreignCollection()]
    const tags = [uriOf(alice, local.id), theirs.uri, theirs.uri].map(tag)
    const note = linking(tags)
    const { costs } = await peer.send(peer.create(note))
    expect((await linkedBy(note.id)).toSorted()).toEqual([local.id, theirs.id])
    const plain = await peer.send(peer.create(peer.note()))
    expect(costs.trips).toBe(plain.costs.trips)
  })

  it.each<[string, (local: number) => string]>([
    ['is unknown here', () => `https://${peer.host}/collections/unknown`],
    ['is of somebody else than its address says', (local) => uriOf({ username: 'mallory' }, local)],
    [
      'has the id of one of another server',
      (local) => `https://${peer.host}/users/alice/collections/${local}`,
    ],
    ['is only its page', (local) => `https://fieldfare.test/collections/${local}`],
  ])('leaves out a collection that %s, and fetches nothing', async (_case, address) => {
    const local = await storedCollection({ by: alice })
    const note = linking([tag(address(local.id))])
    const mark = network.mark()
    await peer.send(peer.create(note))
    expect(await linkedBy(note.id)).toEqual([])
    expect(network.since(mark).filter(({ method }) => method === 'GET')).toEqual([])
  })

  it('names at most four collections', async () => {
    const all: number[] = []
    for (let count = 0; count < 6; count += 1) all.push((await storedCollection({ by: alice })).id)
    const note = linking(all.map((id) => tag(uriOf(alice, id))))
    await peer.send(peer.create(note))
    expect((await linkedBy(note.id)).toSorted()).toEqual(all.slice(0, 4))
  })

  it('updates its collections with an edit', async () => {
    const [before, after] = [await storedCollection({ by: alice }), await storedCollection({ by: alice })]
    const note = linking([tag(uriOf(alice, before.id))])
    await peer.send(peer.create(note))
    expect(await linkedBy(note.id)).toEqual([before.id])
    clock.advance(60_000)
    const edited = (tags: readonly object[]) => ({
      ...note,
      content: '<p>Others</p>',
      updated: clock.now().toISOString(),
      tag: tags,
    })
    await peer.send(peer.activity('Update', edited([tag(uriOf(alice, after.id))])))
    expect(await linkedBy(note.id)).toEqual([after.id])
  })
})
