import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { collectionItems } from '../../../src/db/schema'
import { fetchDocument } from '../../support/fetch-document'
import { given } from '../../support/given'
import { storedCollection } from '../../support/given-collection'
import { clock, context } from '../../support/test-app'

const origin = 'https://fieldfare.test'
const userUri = ({ username }: { readonly username: string }) => `${origin}/users/${username}`
const pathOf = (uri: string) => uri.slice(origin.length)

describe('a collection of accounts as a document (FEP-7aa9)', () => {
  it('lists accounts that agreed, with the consent of each', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id, items } = await storedCollection({
      by: alice,
      of: [bob],
      name: 'Owls',
      description: 'Up <late>',
      language: 'en',
      tag: 'NightOwls',
    })
    const uri = `${userUri(alice)}/collections/${id}`
    const at = clock.now().toISOString().replace('.000Z', 'Z')
    const { body, costs, headers } = await fetchDocument(pathOf(uri))
    const { '@context': terms, ...document } = body
    expect(document).toEqual({
      id: uri,
      type: 'FeaturedCollection',
      attributedTo: userUri(alice),
      url: `${origin}/collections/${id}`,
      name: 'Owls',
      nameMap: { en: 'Owls' },
      summary: '<p>Up &lt;late&gt;</p>',
      summaryMap: { en: '<p>Up &lt;late&gt;</p>' },
      sensitive: false,
      discoverable: true,
      published: at,
      updated: at,
      totalItems: 1,
      topic: { type: 'Hashtag', href: `${origin}/tags/nightowls`, name: '#NightOwls' },
      orderedItems: [
        {
          id: `${uri}/items/${items[0]}`,
          type: 'FeaturedItem',
          featuredObject: userUri(bob),
          featuredObjectType: 'Person',
          published: at,
          featureAuthorization: `${userUri(bob)}/feature_authorizations/${items[0]}`,
        },
      ],
    })
    expect(JSON.stringify(terms)).toContain('https://w3id.org/fep/7aa9#FeaturedCollection')
    expect(headers.get('content-type')).toContain('application/activity+json')
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(20)
    expect((await fetchDocument(`/collections/${id}`)).body['id']).toBe(uri)
    expect((await fetchDocument(`/users/${bob.username}/collections/${id}`)).status).toBe(404)
  })

  it('appears in the list of its owner while it is discoverable', async () => {
    const alice = await given.account()
    const { id } = await storedCollection({ by: alice })
    const unlisted = await storedCollection({ by: alice, discoverable: false })
    const actor = await fetchDocument(`/users/${alice.username}`)
    const list = `${userUri(alice)}/featured_collections`
    expect(actor.body['featuredCollections']).toBe(list)
    const { body } = await fetchDocument(pathOf(list))
    expect(body).toMatchObject({
      id: list,
      type: 'OrderedCollection',
      totalItems: 1,
      orderedItems: [{ id: `${userUri(alice)}/collections/${id}`, type: 'FeaturedCollection' }],
    })
    expect((await fetchDocument(`/users/${alice.username}/collections/${unlisted.id}`)).status).toBe(200)
    expect((await fetchDocument('/users/nobody/featured_collections')).status).toBe(404)
  })

  it('leaves out accounts with pending, rejected or revoked consent', async () => {
    const alice = await given.account()
    for (const state of ['pending', 'rejected', 'revoked'] as const) {
      const { id } = await storedCollection({ by: alice, of: [await given.account()], state })
      const { body } = await fetchDocument(`/users/${alice.username}/collections/${id}`)
      expect(body).toMatchObject({ totalItems: 0, orderedItems: [] })
    }
  })
})

describe('consent of an account to being in a collection', () => {
  it('serves consent that names both, until it is revoked', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id, items } = await storedCollection({ by: alice, of: [bob] })
    const [item = 0] = items
    const uri = `${userUri(bob)}/feature_authorizations/${item}`
    const { '@context': _terms, ...body } = (await fetchDocument(pathOf(uri))).body
    expect(body).toEqual({
      id: uri,
      type: 'FeatureAuthorization',
      attributedTo: userUri(bob),
      interactingObject: `${userUri(alice)}/collections/${id}`,
      interactionTarget: userUri(bob),
    })
    const foreign = await fetchDocument(`/users/${alice.username}/feature_authorizations/${item}`)
    expect(foreign.status).toBe(404)
    await context().db.update(collectionItems).set({ state: 'revoked' }).where(eq(collectionItems.id, item))
    expect((await fetchDocument(pathOf(uri))).status).toBe(404)
  })
})
