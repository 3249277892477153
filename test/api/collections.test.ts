import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  type Collection,
  Collections,
  CollectionWithAccounts,
  WrappedCollection,
  WrappedCollectionItem,
} from '../../src/contract/entities/collection'
import { accounts, collectionItems, collections, roles, users } from '../../src/db/schema'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { deleteRemoteAccount } from '../../src/domain/accounts/delete-remote'
import { anonymous, as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { storedCollection } from '../support/given-collection'
import { relation } from '../support/given-relationships'
import { clock, context, settleLateWork } from '../support/test-app'

const path = '/api/v1/collections'
const open = () => given.account({ discoverable: true })

async function made(by: TestAccount, draft: Readonly<Record<string, unknown>> = {}): Promise<Collection> {
  const answer = await as(by).post(path, { name: 'Birds', ...draft })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return WrappedCollection.parse(answer.body).collection
}

const add = (by: TestAccount, { id }: { id: string | number }, member: { readonly id: number }) =>
  as(by).post(`${path}/${id}/items`, { account_id: String(member.id) })

async function read(by: TestAccount | null, id: string | number) {
  return CollectionWithAccounts.parse((await as(by).get(`${path}/${id}`)).body)
}

const members = ({ items }: Pick<Collection, 'items'>) => items.map((item) => Number(item.account_id))

describe('POST /api/v1/collections', () => {
  it('→ Collection with every given field, and its accounts [T-254]', async () => {
    const [alice, bob, carol] = [await given.account(), await open(), await open()]
    const answer = await as(alice).post(path, {
      name: ' Nice <birds> ',
      description: 'They sing & fly',
      language: 'de',
      tag_name: '#Vögel',
      sensitive: true,
      discoverable: false,
      account_ids: [String(bob.id), String(carol.id)],
    })
    const { collection } = WrappedCollection.parse(answer.body)
    expect(collection).toMatchObject({
      account_id: String(alice.id),
      uri: `https://fieldfare.test/users/${alice.username}/collections/${collection.id}`,
      url: `https://fieldfare.test/collections/${collection.id}`,
      name: 'Nice <birds>',
      description: 'They sing &amp; fly',
      language: 'de',
      local: true,
      sensitive: true,
      discoverable: false,
      item_count: 2,
      tag: { name: 'vogel', url: 'https://fieldfare.test/tags/vogel' },
      created_at: clock.now().toISOString(),
    })
    expect(members(collection)).toEqual([bob.id, carol.id])
    expect(collection.items.map(({ state }) => state)).toEqual(['accepted', 'accepted'])
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    const { accounts: people } = await read(null, collection.id)
    expect(people.map(({ id }) => Number(id))).toEqual([alice.id, bob.id, carol.id])
  })

  it('invalid → 422 with details of every field [T-255]', async () => {
    const alice = await given.account()
    const answer = await as(alice).post(path, {
      name: 'x'.repeat(41),
      description: 'y'.repeat(101),
      language: 'klingon',
      tag_name: 'two words',
    })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: expect.stringContaining('Name is too long (maximum is 40 characters)'),
        details: {
          name: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 40 characters)' }],
          description: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 100 characters)' }],
          language: [{ error: 'ERR_INCLUSION' }],
          tag_name: [{ error: 'ERR_INVALID' }],
        },
      },
    })
    expect(await as(alice).post(path, {})).toMatchObject({
      status: 422,
      body: { details: { name: [{ error: 'ERR_BLANK', description: "can't be blank" }] } },
    })
    expect((await as(alice).get(`/api/v1/accounts/${alice.id}/collections`)).body).toEqual({
      collections: [],
    })
  })

  it('counts characters of a name, not bytes, and stores nothing of a refused draft', async () => {
    const [alice, hidden] = [await given.account(), await given.account()]
    await made(alice, { name: '🐦'.repeat(40) })
    expect((await as(alice).post(path, { name: 'Birds', account_ids: [String(hidden.id)] })).status).toBe(422)
    const { body } = await as(alice).get(`/api/v1/accounts/${alice.id}/collections`)
    expect(Collections.parse(body).collections).toHaveLength(1)
  })

  it('creates as many as the role allows', async () => {
    const alice = await given.account()
    const { db, ids } = context()
    const role = ids.next()
    const now = clock.now()
    await db
      .insert(roles)
      .values({ id: role, name: 'Keeper', position: 1, collectionLimit: 2, createdAt: now, updatedAt: now })
    await db.update(users).set({ roleId: role }).where(eq(users.accountId, alice.id))
    for (const name of ['One', 'Two']) await made(alice, { name })
    expect(await as(alice).post(path, { name: 'Three' })).toMatchObject({ status: 422 })
    const bob = await given.account()
    for (let count = 0; count < 10; count += 1) await made(bob)
    expect((await as(bob).post(path, { name: 'Eleven' })).status).toBe(422)
  })

  it('answers under its former address as well, with a Deprecation header [T-256]', async () => {
    const alice = await given.account()
    const answer = await as(alice).post('/api/v1_alpha/collections', { name: 'Birds' })
    expect(answer.status).toBe(200)
    const { collection } = WrappedCollection.parse(answer.body)
    const alpha = await anonymous.get(`/api/v1_alpha/collections/${collection.id}`)
    for (const { headers } of [answer, alpha]) expect(headers.get('deprecation')).toBe('@1781049600')
    const stable = await anonymous.get(`${path}/${collection.id}`)
    expect(stable.headers.get('deprecation')).toBeNull()
    expect(stable.body).toEqual(alpha.body)
  })
})

describe('PATCH, PUT and DELETE /api/v1/collections/:id', () => {
  it.each(['patch', 'put'] as const)('%s own → what was sent changes, the rest stays', async (method) => {
    const [alice, bob] = [await given.account(), await open()]
    const before = await made(alice, { tag_name: 'birds', language: 'en', account_ids: [String(bob.id)] })
    const renamed = await as(alice)[method](`${path}/${before.id}`, { name: 'Owls', sensitive: true })
    expect(WrappedCollection.parse(renamed.body).collection).toEqual({
      ...before,
      name: 'Owls',
      sensitive: true,
    })
    const emptied = await as(alice)[method](`${path}/${before.id}`, { tag_name: '', language: null })
    expect(emptied.body).toMatchObject({ collection: { tag: null, language: null, name: 'Owls' } })
    expect((await as(alice)[method](`${path}/${before.id}`, { name: ' ' })).body).toMatchObject({
      details: { name: [{ error: 'ERR_BLANK' }] },
    })
  })

  it('foreign → 403, hidden or unknown → 404 [T-257]', async () => {
    const [alice, bob, mallory] = [await given.account(), await given.account(), await given.account()]
    const { id } = await made(alice)
    await relation.block(alice, mallory)
    for (const [who, status] of [[bob, 403] as const, [mallory, 404] as const]) {
      expect((await as(who).patch(`${path}/${id}`, { name: 'Mine' })).status).toBe(status)
      expect((await as(who).delete(`${path}/${id}`)).status).toBe(status)
      expect((await as(who).post(`${path}/${id}/items`, { account_id: String(who.id) })).status).toBe(status)
    }
    expect((await as(alice).patch(`${path}/1`, { name: 'Mine' })).status).toBe(404)
    expect((await read(alice, id)).collection.name).toBe('Birds')
  })

  it('DELETE own → {} and it is gone [T-258]', async () => {
    const [alice, bob] = [await given.account(), await open()]
    const { id } = await made(alice, { account_ids: [String(bob.id)] })
    expect(await as(alice).delete(`${path}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(alice).get(`${path}/${id}`)).status).toBe(404)
    expect((await as(alice).delete(`${path}/${id}`)).status).toBe(404)
    expect((await as(bob).get(`/api/v1/accounts/${bob.id}/in_collections`)).body).toEqual({ collections: [] })
  })
})

describe('the items of a collection', () => {
  it('POST → CollectionItem; the same again → 422 [T-259]', async () => {
    const [alice, bob] = [await given.account(), await open()]
    const collection = await made(alice)
    const answer = await add(alice, collection, bob)
    expect(WrappedCollectionItem.parse(answer.body).collection_item).toMatchObject({
      account_id: String(bob.id),
      state: 'accepted',
      created_at: clock.now().toISOString(),
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    expect(await add(alice, collection, bob)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Account has already been taken' },
    })
    expect(members((await read(null, collection.id)).collection)).toEqual([bob.id])
  })

  it('POST of an account that did not consent, is blocked or unknown → 422; of oneself → 200', async () => {
    const alice = await given.account()
    const collection = await made(alice)
    const [shy, blocked, blocker, suspended, ghost] = [
      await given.account({ discoverable: false }),
      await open(),
      await open(),
      await given.account({ discoverable: true, suspendedAt: clock.now() }),
      await given.account({ discoverable: true, user: { confirmedAt: null } }),
    ]
    await relation.block(alice, blocked)
    await relation.block(blocker, alice)
    const remote = await given.remoteAccount({ discoverable: true })
    for (const who of [shy, blocked, blocker, suspended, ghost, remote, { id: 1 }])
      expect((await add(alice, collection, who)).status).toBe(422)
    expect(await as(alice).post(`${path}/${collection.id}/items`)).toMatchObject({
      status: 422,
      body: { error: '`account_id` parameter is missing' },
    })
    expect((await add(alice, collection, alice)).status).toBe(200)
    expect(members((await read(null, collection.id)).collection)).toEqual([alice.id])
  })

  it('a collection has at most 25 items', async () => {
    const alice = await given.account()
    const of = []
    for (let count = 0; count < 24; count += 1) of.push(await given.remoteAccount())
    const { id } = await storedCollection({ by: alice, of })
    expect((await add(alice, { id }, await open())).status).toBe(200)
    expect(await add(alice, { id }, await open())).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Collection items are too many, no more than 25 are allowed' },
    })
    const many = Array.from({ length: 26 }, (_, index) => String(alice.id + index))
    expect((await as(alice).post(path, { name: 'x', account_ids: many })).status).toBe(422)
  })

  it('DELETE own → {}; of another collection → 404, foreign → 403 [T-260]', async () => {
    const [alice, bob] = [await given.account(), await open()]
    const [one, other] = [await made(alice, { account_ids: [String(bob.id)] }), await made(alice)]
    const item = one.items[0]?.id
    expect((await as(bob).delete(`${path}/${one.id}/items/${item}`)).status).toBe(403)
    expect((await as(alice).delete(`${path}/${other.id}/items/${item}`)).status).toBe(404)
    expect(await as(alice).delete(`${path}/${one.id}/items/${item}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(alice).delete(`${path}/${one.id}/items/${item}`)).status).toBe(404)
    expect((await add(alice, one, bob)).status).toBe(200)
  })

  it('revoke → out for good: not shown, not removable, never to be put in again [T-261]', async () => {
    const [alice, bob, carol] = [await given.account(), await open(), await open()]
    const collection = await made(alice, { account_ids: [String(bob.id), String(carol.id)] })
    const item = collection.items[0]?.id
    const revoke = (who: TestAccount) => as(who).post(`${path}/${collection.id}/items/${item}/revoke`)
    expect((await revoke(carol)).status).toBe(403)
    expect((await revoke(alice)).status).toBe(403)
    expect(await revoke(bob)).toMatchObject({ status: 200, body: {} })
    expect((await revoke(bob)).status).toBe(200)
    expect(members((await read(alice, collection.id)).collection)).toEqual([carol.id])
    expect((await as(alice).delete(`${path}/${collection.id}/items/${item}`)).status).toBe(404)
    expect((await add(alice, collection, bob)).status).toBe(422)
    expect((await as(bob).get(`/api/v1/accounts/${bob.id}/in_collections`)).body).toEqual({ collections: [] })
  })

  it('a block removes both from the collections of the other', async () => {
    const [alice, bob] = [await open(), await open()]
    const hers = await made(alice, { account_ids: [String(bob.id)] })
    const his = await made(bob, { account_ids: [String(alice.id)] })
    expect((await as(bob).post(`/api/v1/accounts/${alice.id}/block`)).status).toBe(200)
    expect((await read(null, hers.id)).collection.items).toEqual([])
    expect((await read(null, his.id)).collection.items).toEqual([])
  })
})

describe('a deleted account', () => {
  it('a deleted account is deleted with its collections, and leaves those of others', async () => {
    const [alice, bob] = [await open(), await open()]
    const hers = await made(alice, { account_ids: [String(bob.id)] })
    const his = await made(bob, { account_ids: [String(alice.id)] })
    await deleteOwnAccount(context(), alice.id)
    expect((await as(bob).get(`/api/v1/accounts/${bob.id}/in_collections`)).body).toEqual({ collections: [] })
    const { db } = context()
    expect(
      await db
        .select()
        .from(collections)
        .where(eq(collections.id, Number(hers.id))),
    ).toEqual([])
    const left = eq(collectionItems.collectionId, Number(his.id))
    expect(await db.select().from(collectionItems).where(left)).toEqual([])
  })

  it('a deleted remote account is in no collection any more', async () => {
    const [alice, there] = [await given.account(), await given.remoteAccount()]
    const { id } = await storedCollection({ by: alice, of: [there] })
    await deleteRemoteAccount(context(), there.id)
    await settleLateWork()
    const left = eq(collectionItems.collectionId, id)
    expect(await context().db.select().from(collectionItems).where(left)).toEqual([])
  })
})

describe('visibility of collections', () => {
  it('leaves out accounts the viewer blocks, and accounts that block the viewer, from items and accounts [T-262]', async () => {
    const [alice, viewer, friend, blocked, blocker] = [
      await given.account(),
      await given.account(),
      await given.account(),
      await given.account(),
      await given.account(),
    ] as const
    const { id } = await storedCollection({ by: alice, of: [friend, blocked, blocker] })
    const there = await given.remoteAccount({ domain: 'unwanted.test' })
    const second = await storedCollection({ by: alice, of: [there] })
    await relation.block(viewer, blocked)
    await relation.block(blocker, viewer)
    const mine = await read(viewer, id)
    expect(members(mine.collection)).toEqual([friend.id])
    expect(mine.collection.item_count).toBe(1)
    expect(mine.accounts.map((account) => Number(account.id))).toEqual([alice.id, friend.id])
    expect(members((await read(null, id)).collection)).toHaveLength(3)
    await as(viewer).post('/api/v1/domain_blocks', { domain: 'unwanted.test' })
    expect((await read(viewer, second.id)).collection.items).toEqual([])
  })

  it('leaves out suspended and unconfirmed accounts, and shows pending ones to the owner only', async () => {
    const [alice, gone] = [await given.account(), await given.account({ suspendedAt: clock.now() })]
    const ghost = await given.account({ user: { confirmedAt: null } })
    const waiting = await given.remoteAccount()
    const { id } = await storedCollection({ by: alice, of: [gone, ghost] })
    const asked = await storedCollection({ by: alice, of: [waiting], state: 'pending' })
    expect((await read(alice, id)).collection.items).toEqual([])
    expect((await read(null, asked.id)).collection.items).toEqual([])
    expect((await read(null, asked.id)).accounts).toHaveLength(1)
    const own = await read(alice, asked.id)
    expect(own.collection.items).toMatchObject([{ account_id: String(waiting.id), state: 'pending' }])
    expect(own.accounts).toHaveLength(2)
  })

  it('hides the collections of suspended accounts, and those of owners who block the viewer', async () => {
    const [alice, mallory] = [await given.account(), await given.account()]
    const { id } = await storedCollection({ by: alice })
    await relation.block(alice, mallory)
    expect((await as(mallory).get(`${path}/${id}`)).status).toBe(404)
    const list = `/api/v1/accounts/${alice.id}/collections`
    expect((await as(mallory).get(list)).body).toEqual({ collections: [] })
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    expect((await anonymous.get(`${path}/${id}`)).status).toBe(404)
    expect((await anonymous.get(list)).body).toEqual({ collections: [] })
  })

  it('lists unlisted ones for their owner only, and shows them by their address [T-263]', async () => {
    const [alice, bob] = await given.accounts(2)
    if (alice === undefined || bob === undefined) throw new Error('nobody was made')
    const { id } = await storedCollection({ by: alice, discoverable: false })
    const list = `/api/v1/accounts/${alice.id}/collections`
    for (const who of [bob, null]) expect((await as(who).get(list)).body).toEqual({ collections: [] })
    expect(Collections.parse((await as(alice).get(list)).body).collections).toHaveLength(1)
    expect((await anonymous.get(`${path}/${id}`)).status).toBe(200)
  })
})

describe('GET /api/v1/accounts/:id/collections', () => {
  it('pages by offset, newest first, with links while more remain', async () => {
    const alice = await given.account()
    const ids: number[] = []
    for (let count = 0; count < 3; count += 1) ids.unshift((await storedCollection({ by: alice })).id)
    const list = `/api/v1/accounts/${alice.id}/collections`
    const idsOf = (body: unknown) => Collections.parse(body).collections.map(({ id }) => Number(id))
    const first = await anonymous.get(`${list}?limit=1`)
    expect(idsOf(first.body)).toEqual(ids.slice(0, 1))
    expect(first.links).toEqual({ next: `${list}?limit=1&offset=1` })
    const second = await anonymous.get(first.links.next ?? '')
    expect(second.links).toEqual({ next: `${list}?limit=1&offset=2`, prev: `${list}?limit=1&offset=0` })
    const last = await anonymous.get(second.links.next ?? '')
    expect(idsOf(last.body)).toEqual(ids.slice(2))
    expect(last.links).toEqual({ prev: `${list}?limit=1&offset=1` })
    expect((await anonymous.get(`${list}?limit=3`)).headers.get('link')).toBeNull()
    expect((await anonymous.get('/api/v1/accounts/1/collections')).status).toBe(404)
  })
})

describe('GET /api/v1/accounts/:id/in_collections', () => {
  it('collections of oneself → unlisted ones too; of another account → 403, unknown → 404 [T-264]', async () => {
    const [alice, bob] = [await given.account(), await open()]
    const listed = await storedCollection({ by: alice, of: [bob] })
    const unlisted = await storedCollection({ by: alice, of: [bob], discoverable: false })
    await storedCollection({ by: alice, of: [bob], state: 'pending' })
    const own = await as(bob).get(`/api/v1/accounts/${bob.id}/in_collections`)
    const { collections } = Collections.parse(own.body)
    expect(collections.map(({ id }) => Number(id))).toEqual([unlisted.id, listed.id])
    const first = await as(bob).get(`/api/v1/accounts/${bob.id}/in_collections?limit=1`)
    expect(first.links.next).toBe(`/api/v1/accounts/${bob.id}/in_collections?limit=1&offset=1`)
    for (const who of [alice, null])
      expect((await as(who).get(`/api/v1/accounts/${bob.id}/in_collections`)).status).toBe(403)
    expect((await as(bob).get('/api/v1/accounts/1/in_collections')).status).toBe(404)
  })
})

describe('feature_approval', () => {
  const Approval = z.object({ feature_approval: z.unknown() })
  const approvalOf = async (id: number) =>
    Approval.parse((await anonymous.get(`/api/v1/accounts/${id}`)).body).feature_approval

  it('depends on whether local accounts are discoverable', async () => {
    const [found, shy] = [await open(), await given.account()]
    expect(await approvalOf(found.id)).toEqual({
      automatic: ['public'],
      manual: [],
      current_user: 'automatic',
    })
    expect(await approvalOf(shy.id)).toEqual({ automatic: [], manual: [], current_user: 'denied' })
  })

  it('feature_approval is missing where the remote actor has none', async () => {
    const { id } = await given.remoteAccount({ discoverable: true })
    expect(await approvalOf(id)).toEqual({ automatic: [], manual: [], current_user: 'missing' })
  })
})
