import { describe, expect, it } from 'vitest'
import { mastoAnonymous, mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, newTag } from '../support/people'

/** Bob wants to be found, so he may be collected. */
async function collected() {
  const people = await aliceAndBob(mastoOf)
  const { bob, asAlice, asBob } = people
  await asBob.v1.accounts.updateCredentials({ discoverable: true })
  const { collection } = await asAlice.v1.collections.create({
    name: 'Garden birds',
    description: 'They come & go',
    language: 'en',
    discoverable: true,
    accountIds: [bob.id],
  })
  return { ...people, collection, asOwner: asAlice.v1.collections.$select(collection.id) }
}

describe('collections with masto', () => {
  it('are made, changed, listed and deleted', async () => {
    const { alice, bob, collection, asAlice, asBob, asOwner } = await collected()
    expect(collection).toMatchObject({
      accountId: alice.id,
      name: 'Garden birds',
      local: true,
      sensitive: false,
      discoverable: true,
      itemCount: 1,
      items: [{ accountId: bob.id, state: 'accepted' }],
      tag: null,
      language: 'en',
    })
    const seen = await mastoAnonymous().v1.collections.$select(collection.id).fetch()
    expect(seen.collection).toEqual(collection)
    expect(seen.accounts.map(({ id }) => id).toSorted()).toEqual([alice.id, bob.id].toSorted())
    const tagName = newTag('garden')
    const { collection: changed } = await asOwner.update({ name: 'My birds', tagName })
    expect(changed).toMatchObject({ name: 'My birds', tag: { name: tagName }, itemCount: 1 })
    const own = await mastoAnonymous().v1.accounts.$select(alice.id).collections.list({ limit: 5 })
    expect(own.collections).toMatchObject([{ id: collection.id, name: 'My birds' }])
    const among = await asBob.v1.accounts.$select(bob.id).inCollections.list({ limit: 5 })
    expect(among.collections.map(({ id }) => id)).toEqual([collection.id])
    const others = asAlice.v1.accounts.$select(bob.id).inCollections.list()
    expect(await mastoFailure(others)).toMatchObject({ statusCode: 403 })

    const foreign = asBob.v1.collections.$select(collection.id)
    expect(await mastoFailure(foreign.update({ name: 'Bobs' }))).toMatchObject({ statusCode: 403 })
    await asOwner.remove()
    expect(await mastoFailure(asOwner.fetch())).toMatchObject({ statusCode: 404 })
  })

  it('are left for good by those who are in them', async () => {
    const { bob, collection, asBob, asOwner } = await collected()
    const item = String(collection.items[0]?.id)
    await asBob.v1.collections.$select(collection.id).items.$select(item).revoke()
    expect((await asOwner.fetch()).collection).toMatchObject({ itemCount: 0, items: [] })
    const again = asOwner.items.create({ accountId: bob.id })
    expect(await mastoFailure(again)).toMatchObject({ statusCode: 422 })
  })

  it('gain and lose discoverable accounts', async () => {
    const { asOwner } = await collected()
    const shy = await newPerson('shy')
    await mastoOf(shy).v1.accounts.updateCredentials({ discoverable: false })
    const refused = asOwner.items.create({ accountId: shy.id })
    expect(await mastoFailure(refused)).toMatchObject({ statusCode: 422 })
    const open = await newPerson('open')
    await mastoOf(open).v1.accounts.updateCredentials({ discoverable: true })
    const { collectionItem } = await asOwner.items.create({ accountId: open.id })
    expect(collectionItem).toMatchObject({ accountId: open.id, state: 'accepted' })
    expect((await asOwner.fetch()).collection.itemCount).toBe(2)
    await asOwner.items.$select(collectionItem.id).remove()
    expect((await asOwner.fetch()).collection.itemCount).toBe(1)
  })
})
