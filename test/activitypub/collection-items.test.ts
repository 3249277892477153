import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { readActor } from '../../src/activitypub/vocab/actor'
import { isUnreadable } from '../../src/activitypub/vocab/json'
import {
  Collections,
  CollectionWithAccounts,
  WrappedCollection,
} from '../../src/contract/entities/collection'
import { Notification } from '../../src/contract/entities/notification'
import { accounts, collections } from '../../src/db/schema'
import type { FeaturePolicy } from '../../src/db/values'
import { importAccount } from '../../src/domain/accounts/import'
import { anonymous, as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { clock, context } from '../support/test-app'

/** Collections of accounts between servers (FEP-7aa9). */

const path = '/api/v1/collections'
const everybody = 'https://www.w3.org/ns/activitystreams#Public'
const uriOf = ({ username }: { readonly username: string }) => `https://fieldfare.test/users/${username}`
const anybodyMay: FeaturePolicy = { automatic: ['public'], manual: [] }

let alice: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account({ discoverable: true })
  peer = await knownPeer()
  await allow(peer)
})

async function allow(
  { id }: { readonly id: number },
  featurePolicy: FeaturePolicy = anybodyMay,
): Promise<void> {
  await context().db.update(accounts).set({ featurePolicy }).where(eq(accounts.id, id))
}

async function read(by: TestAccount | null, id: number | string) {
  return CollectionWithAccounts.parse((await as(by).get(`${path}/${id}`)).body).collection
}

/** A collection of Alice's; what was sent for it is out of the way. */
async function collected(draft: Readonly<Record<string, unknown>> = {}) {
  const { body } = await as(alice).post(path, { name: 'Owls', ...draft })
  await sentByCouriers()
  const { collection } = WrappedCollection.parse(body)
  return { ...collection, heard: peer.received().length }
}

const add = (id: string, member: { readonly id: number }) =>
  as(alice).post(`${path}/${id}/items`, { account_id: String(member.id) })

const Activity = z.looseObject({ type: z.string(), id: z.string() })
const received = (from = 0) =>
  peer
    .received()
    .slice(from)
    .map((one) => Activity.parse(one))

describe('a remote account in a local collection', () => {
  async function asked() {
    const collection = await collected()
    expect((await add(collection.id, peer)).body).toMatchObject({ collection_item: { state: 'pending' } })
    await sentByCouriers()
    const [request] = received(collection.heard)
    return { collection, request }
  }

  it('a remote account is asked for consent and stays pending', async () => {
    const { collection, request } = await asked()
    expect(request).toMatchObject({
      type: 'FeatureRequest',
      actor: uriOf(alice),
      to: [peer.uri],
      object: peer.uri,
      instrument: collection.uri,
    })
    expect((await read(null, collection.id)).items).toEqual([])
    expect((await read(alice, collection.id)).items).toMatchObject([{ state: 'pending' }])
    expect((await fetchDocument(collection.uri)).body).toMatchObject({ totalItems: 0 })
  })

  it('a remote account joins the collection with its consent once it accepts, and its server is notified', async () => {
    const { collection, request } = await asked()
    const consent = `${peer.uri}/stamps/1`
    expect((await peer.send(peer.activity('Accept', request?.id, { result: consent }))).status).toBe(202)
    await sentByCouriers()
    expect((await read(null, collection.id)).items).toMatchObject([
      { account_id: String(peer.id), state: 'accepted' },
    ])
    const item = { type: 'FeaturedItem', featuredObject: peer.uri, featureAuthorization: consent }
    expect((await fetchDocument(collection.uri)).body).toMatchObject({ orderedItems: [item] })
    expect(received().at(-1)).toMatchObject({ type: 'Add', target: collection.uri, object: item })
  })

  it('a remote account that rejects stays out of the collection and is not asked again', async () => {
    const { collection, request } = await asked()
    await peer.send(peer.activity('Reject', request?.id))
    expect((await read(alice, collection.id)).items).toEqual([])
    expect((await add(collection.id, peer)).status).toBe(422)
    await peer.send(peer.activity('Accept', request?.id, { result: `${peer.uri}/stamps/1` }))
    expect((await read(alice, collection.id)).items).toEqual([])
  })

  it('a remote account leaves the collection when it deletes its consent', async () => {
    const { collection, request } = await asked()
    const consent = `${peer.uri}/stamps/1`
    await peer.send(peer.activity('Accept', request?.id, { result: consent }))
    const stranger = await knownPeer()
    await stranger.send(stranger.activity('Delete', { id: consent, type: 'FeatureAuthorization' }))
    expect((await read(null, collection.id)).items).toHaveLength(1)
    await peer.send(peer.activity('Delete', { id: consent, type: 'FeatureAuthorization' }))
    expect((await read(alice, collection.id)).items).toEqual([])
    await sentByCouriers()
    expect(received().at(-1)).toMatchObject({ type: 'Remove', target: collection.uri })
    expect((await add(collection.id, peer)).status).toBe(422)
  })

  it('a remote account joins only by consent of its own actor and server [T-034]', async () => {
    const { collection, request } = await asked()
    const stranger = await knownPeer()
    await stranger.send(stranger.activity('Accept', request?.id, { result: `${stranger.uri}/stamps/1` }))
    await stranger.send(stranger.activity('Reject', request?.id))
    await peer.send(peer.activity('Accept', request?.id, { result: `${stranger.uri}/stamps/1` }))
    expect((await read(alice, collection.id)).items).toMatchObject([{ state: 'pending' }])
  })

  it.each([
    ['no policy', null, 'missing', 422],
    ['nobody', { automatic: [], manual: [] }, 'denied', 422],
    ['somebody else', { automatic: ['unsupported_policy' as const], manual: [] }, 'unknown', 422],
    ['anybody, after a look', { automatic: [], manual: ['public' as const] }, 'manual', 200],
    [
      'their followers, whom Alice is not among',
      { automatic: ['followers' as const], manual: [] },
      'unknown',
      422,
    ],
  ])(
    'the policy of a remote account decides whether it can be added: %s',
    async (_, featurePolicy, currentUser, status) => {
      await context().db.update(accounts).set({ featurePolicy }).where(eq(accounts.id, peer.id))
      const { body } = await as(alice).get(`/api/v1/accounts/${peer.id}`)
      expect(body).toMatchObject({ feature_approval: { current_user: currentUser } })
      expect((await add((await collected()).id, peer)).status).toBe(status)
    },
  )

  it('followers can add a remote account whose policy allows followers', async () => {
    await allow(peer, { automatic: ['followers'], manual: [] })
    await relation.follow(alice, peer)
    expect((await add((await collected()).id, peer)).status).toBe(200)
  })
})

describe('remote followers', () => {
  beforeEach(() => relation.follow(peer, alice))

  it('remote followers receive a collection, its changes, additions, removals and deletion', async () => {
    const bob = await given.account({ discoverable: true })
    const collection = await collected()
    const list = `${uriOf(alice)}/featured_collections`
    expect(received(collection.heard - 1)).toMatchObject([
      { type: 'Add', target: list, object: { id: collection.uri, type: 'FeaturedCollection' } },
    ])
    await as(alice).patch(`${path}/${collection.id}`, { name: 'Night birds' })
    const { body } = await add(collection.id, bob)
    const item = z.object({ collection_item: z.object({ id: z.string() }) }).parse(body).collection_item
    await as(alice).delete(`${path}/${collection.id}/items/${item.id}`)
    await as(alice).delete(`${path}/${collection.id}`)
    await sentByCouriers()
    const told = received(collection.heard)
    expect(told.at(-1)).toMatchObject({ type: 'Remove', object: collection.uri, target: list })
    expect(told.map(({ type }) => type).filter((type) => type !== 'Add')).toEqual(
      expect.arrayContaining(['Remove']),
    )
  })

  it('remote followers receive nothing of an unlisted collection', async () => {
    const { heard } = await collected({ discoverable: false })
    expect(heard).toBe(0)
  })
})

describe('a FeatureRequest for a local account', () => {
  function theirs(over: Readonly<Record<string, unknown>> = {}) {
    const uri = `${peer.uri}/featured/1`
    fediverse.network.serve(uri, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: uri,
      type: 'FeaturedCollection',
      attributedTo: peer.uri,
      name: 'Birders <3',
      summary: '<p>Nice<script>alert(1)</script></p>',
      discoverable: true,
      sensitive: false,
      topic: { type: 'Hashtag', name: '#Birding' },
      ...over,
    })
    return uri
  }

  const requestFor = (uri: string, id = 1) =>
    peer.activity('FeatureRequest', uriOf(alice), { id: `${peer.uri}/requests/${id}`, instrument: uri })

  async function ask(uri: string, id = 1): Promise<void> {
    const { ctx, work } = fakeQueue()
    expect((await peer.send(requestFor(uri, id), { overrides: { jobs: ctx.jobs } })).status).toBe(202)
    await work()
    await sentByCouriers()
  }

  const inCollections = async () =>
    Collections.parse((await as(alice).get(`/api/v1/accounts/${alice.id}/in_collections`)).body).collections

  it('accepts a FeatureRequest for a discoverable account, with consent that can be fetched', async () => {
    const uri = theirs()
    await ask(uri)
    const [accept] = received()
    expect(accept).toMatchObject({
      type: 'Accept',
      actor: uriOf(alice),
      to: [peer.uri],
      object: { id: `${peer.uri}/requests/1`, type: 'FeatureRequest', instrument: uri },
    })
    const { body } = await fetchDocument(String(accept?.['result']))
    expect(body).toMatchObject({
      type: 'FeatureAuthorization',
      attributedTo: uriOf(alice),
      interactingObject: uri,
      interactionTarget: uriOf(alice),
    })
    const [collection] = await inCollections()
    expect(collection).toMatchObject({
      uri,
      local: false,
      name: 'Birders <3',
      description: '<p>Nice</p>',
      account_id: String(peer.id),
      tag: { name: 'birding' },
      items: [{ account_id: String(alice.id), state: 'accepted' }],
    })
    await ask(uri, 2)
    expect(received().map(({ result }) => result)).toEqual([accept?.['result'], accept?.['result']])
  })

  it('rejects a FeatureRequest for an account that is not discoverable or blocks the requester', async () => {
    const { db } = context()
    await db.update(accounts).set({ discoverable: false }).where(eq(accounts.id, alice.id))
    await ask(theirs())
    await db.update(accounts).set({ discoverable: true }).where(eq(accounts.id, alice.id))
    await relation.block(alice, peer)
    await ask(theirs(), 2)
    expect(received().map(({ type }) => type)).toEqual(['Reject', 'Reject'])
    expect(await inCollections()).toEqual([])
  })

  it('sends the revocation of a FeatureRequest to the other server, and does not accept it again', async () => {
    const uri = theirs()
    await ask(uri)
    const [collection] = await inCollections()
    const item = collection?.items[0]?.id
    const consent = String(received()[0]?.['result'])
    expect((await as(alice).post(`${path}/${collection?.id}/items/${item}/revoke`)).status).toBe(200)
    await sentByCouriers()
    expect(received().at(-1)).toMatchObject({
      type: 'Delete',
      object: { id: consent, type: 'FeatureAuthorization', interactingObject: uri },
    })
    expect((await fetchDocument(consent)).status).toBe(404)
    await ask(uri, 2)
    expect(received().at(-1)?.type).toBe('Reject')
    expect(await inCollections()).toEqual([])
  })

  it('ignores a FeatureRequest for a remote collection, a collection of another account, or none', async () => {
    const other = await knownPeer()
    expect((await peer.send(requestFor(`${other.uri}/featured/1`))).status).toBeLessThan(500)
    await ask(theirs({ attributedTo: other.uri }))
    await ask(theirs({ type: 'OrderedCollection' }))
    await ask(`${peer.uri}/nothing`).catch(() => undefined)
    expect(received().filter(({ type }) => type === 'Accept')).toEqual([])
    expect(await inCollections()).toEqual([])
  })

  it('a granted FeatureRequest stores the collection, follows its updates, and is deleted with it', async () => {
    const uri = theirs()
    await ask(uri)
    const changed = {
      id: uri,
      type: 'FeaturedCollection',
      attributedTo: peer.uri,
      name: 'Twitchers',
      sensitive: true,
    }
    await peer.send(peer.activity('Update', changed))
    expect(await inCollections()).toMatchObject([{ name: 'Twitchers', sensitive: true }])
    const stranger = await knownPeer()
    await stranger.send(stranger.activity('Remove', uri, { target: `${stranger.uri}/featured_collections` }))
    expect(await inCollections()).toHaveLength(1)
    await peer.send(peer.activity('Remove', uri, { target: `${peer.uri}/featured_collections` }))
    expect(await inCollections()).toEqual([])
  })

  it('notifies the account when it is added and of changes while it is in the collection', async () => {
    const uri = theirs()
    await ask(uri)
    await ask(uri, 2)
    const told = async () =>
      Notification.array()
        .parse((await as(alice).get(`/api/v1/notifications?account_id=${peer.id}`)).body)
        .map(({ type, collection }) => [type, collection?.uri, collection?.name])
    const added = (name: string) => ['added_to_collection', uri, name]
    expect(await told()).toEqual([added('Birders <3')])
    const changed = { id: uri, type: 'FeaturedCollection', attributedTo: peer.uri, name: 'Twitchers' }
    for (const _ of [1, 2]) await peer.send(peer.activity('Update', changed))
    expect(await told()).toEqual([['collection_update', uri, 'Twitchers'], added('Twitchers')])
    const item = { id: `${uri}/items/1`, type: 'FeaturedItem', featuredObject: uriOf(alice) }
    await peer.send(peer.activity('Remove', item, { target: uri }))
    expect(await told()).toEqual([])
  })

  it('a granted FeatureRequest ends when the collection removes the account', async () => {
    const uri = theirs()
    await ask(uri)
    const item = { id: `${uri}/items/1`, type: 'FeaturedItem', featuredObject: uriOf(alice) }
    await peer.send(peer.activity('Remove', item, { target: uri }))
    expect(await inCollections()).toEqual([])
    const left = await context().db.select().from(collections).where(eq(collections.uri, uri))
    expect(left).toHaveLength(1)
    expect((await anonymous.get(`${path}/${left[0]?.id}`)).body).toMatchObject({ collection: { items: [] } })
  })
})

describe('featuring policies of remote actors', () => {
  it('reads featuring policies from the discoverable flag of remote actors', async () => {
    const shy = await given.account()
    const policyOf = async (who: TestAccount) => {
      const { body } = await fetchDocument(uriOf(who))
      return body['interactionPolicy']
    }
    expect(await policyOf(alice)).toEqual({
      canFeature: { automaticApproval: [everybody], manualApproval: [] },
    })
    expect(await policyOf(shy)).toEqual({
      canFeature: { automaticApproval: [uriOf(shy)], manualApproval: [] },
    })
  })

  it.each([
    ['nothing', undefined, null],
    ['everybody', { automaticApproval: 'as:Public' }, { automatic: ['public'], manual: [] }],
    ['followers', { automaticApproval: ['FOLLOWERS'] }, { automatic: ['followers'], manual: [] }],
    ['themselves', { automaticApproval: ['SELF'] }, { automatic: [], manual: [] }],
    [
      'many',
      { automaticApproval: ['FOLLOWING', 'https://else.test/x'], manualApproval: [everybody] },
      { automatic: ['following', 'unsupported_policy'], manual: ['public'] },
    ],
  ])('reads a featuring policy: %s', async (_, canFeature, expected) => {
    const there = await fediverse.actor()
    const names = { FOLLOWERS: there.at.followers, FOLLOWING: there.at.following, SELF: there.uri }
    const text = JSON.stringify(canFeature === undefined ? {} : { canFeature })
    const written = text.replaceAll(/"([A-Z]{4,})"/g, (whole, name: keyof typeof names) =>
      name in names ? JSON.stringify(names[name]) : whole,
    )
    const actor = readActor({ ...there.document, interactionPolicy: JSON.parse(written) }, clock.now())
    if (isUnreadable(actor)) throw new Error(actor.unreadable)
    expect(actor.featurePolicy).toEqual(expected)
    const stored = await importAccount(context(), actor)
    const [row] = await context().db.select().from(accounts).where(eq(accounts.uri, there.uri))
    expect([stored.kind, row?.featurePolicy]).toEqual(['stored', expected])
  })
})
