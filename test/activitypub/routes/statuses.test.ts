import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { tombstones } from '../../../src/db/schema'
import { as } from '../../support/as'
import { createOf, noteOf } from '../../support/documents'
import { fetchDocument } from '../../support/fetch-document'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const itemsOf = (body: Readonly<Record<string, unknown>>) => body['items']

describe('a status fetched as a document', () => {
  it('serves the note in one small round trip', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const first = await given.status({ by: bob })
    const { id } = await given.status({ by: alice, text: `@${bob.username} #wren`, inReplyTo: first })

    const { status, body, headers, costs } = await fetchDocument(`/users/${alice.username}/statuses/${id}`)

    const { '@context': context, ...note } = body
    expect({ status, note }).toEqual({ status: 200, note: await noteOf(alice, id) })
    expect(context).toContain('https://www.w3.org/ns/activitystreams')
    expect(headers.get('content-type')).toBe('application/activity+json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=30')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(costs.statements).toBeLessThanOrEqual(6)
    expect(costs.rowsRead).toBeLessThanOrEqual(20)
  })

  it('answers at the address of its page as well, and redirects browsers there', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const uri = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    const page = `https://fieldfare.test/@${alice.username}/${id}`
    expect(await fetchDocument(page)).toMatchObject({ status: 200, body: { id: uri } })
    for (const path of [uri, `${uri}/activity`]) {
      const answer = await fetchDocument(path, { accept: 'text/html' })
      expect([301, 302]).toContain(answer.status)
      expect(answer.headers.get('location')).toBe(page)
    }
  })

  it('serves a status only under its own author, and never for other servers', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const remote = await given.remoteAccount()
    const { id } = await given.status({ by: alice })
    const theirs = await storedStatus({ accountId: remote.id, local: false })
    for (const path of [
      `/users/${bob.username}/statuses/${id}`,
      `/users/${bob.username}/statuses/${id}/replies`,
      `/users/${remote.username}/statuses/${theirs}`,
      `/users/${remote.username}/statuses/${theirs}/likes`,
      `/@${remote.username}@${remote.domain}/${theirs}`,
    ])
      expect(await fetchDocument(path), path).toMatchObject({ status: 404 })
  })

  it('serves the activity that created the status', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const { body } = await fetchDocument(`/users/${alice.username}/statuses/${id}/activity`)
    expect(body).toMatchObject(await createOf(alice, id))
  })

  it('serves a reblog only as an activity', async () => {
    const alice = await given.account()
    const bob = await given.remoteAccount()
    const shared = await storedStatus({ accountId: bob.id, local: false })
    const id = await storedStatus({ accountId: alice.id, reblogOfId: shared })
    const uri = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    const original = `https://elsewhere.test/statuses/${shared}`
    expect((await fetchDocument(`${uri}/activity`)).body).toMatchObject({
      id: `${uri}/activity`,
      type: 'Announce',
      object: original,
    })
    const answer = await fetchDocument(uri)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(original)
  })

  it('serves a tombstone of a deleted status [T-135]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    await as(alice).delete(`/api/v1/statuses/${id}`)
    const uri = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    for (const path of [uri, `${uri}/activity`, `https://fieldfare.test/@${alice.username}/${id}`])
      expect(await fetchDocument(path), path).toMatchObject({
        status: 410,
        body: { id: uri, type: 'Tombstone' },
      })
  })

  it.each([
    { visibility: 'private' as const },
    { visibility: 'direct' as const },
    { visibility: 'public' as const, localOnly: true },
  ])('serves no tombstone of a status that was not public: %o', async (options) => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(peer, alice)
    const { id } = await given.status({ by: alice, ...options })
    const never = await given.account().then(({ username }) => `/users/${username}/statuses/1`)
    await as(alice).delete(`/api/v1/statuses/${id}`)

    const path = `/users/${alice.username}/statuses/${id}`
    const expected = await fetchDocument(never)
    expect(expected.status).toBe(404)
    for (const at of [path, `${path}/activity`, `/@${alice.username}/${id}`]) {
      expect(await fetchDocument(at), at).toMatchObject({ status: 404, text: expected.text })
      expect((await peer.get(at)).status, at).toBe(404)
      expect((await fetchDocument(at, { accept: 'text/html' })).status, at).not.toBe(410)
    }
    const rows = await context()
      .db.select()
      .from(tombstones)
      .where(eq(tombstones.uri, `https://fieldfare.test${path}`))
    expect(rows).toEqual([])
  })

  it('serves no tombstone of a private reblog', async () => {
    const alice = await given.account()
    const shared = await given.status({ by: alice, visibility: 'private' })
    const answer = await as(alice).post(`/api/v1/statuses/${shared.id}/reblog`)
    const { id } = Status.parse(answer.body)
    await as(alice).post(`/api/v1/statuses/${shared.id}/unreblog`)
    expect((await fetchDocument(`/users/${alice.username}/statuses/${id}/activity`)).status).toBe(404)
  })

  it('answers 404 for statuses deleted before their visibility was stored', async () => {
    const alice = await given.account()
    const uri = `https://fieldfare.test/users/${alice.username}/statuses/77`
    await context().db.insert(tombstones).values({ uri, deletedAt: clock.now() })
    expect((await fetchDocument(uri)).status).toBe(404)
  })
})

describe('collections of a status', () => {
  it('collections of a status have a count and no items [T-997]', async () => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, favouritesCount: 3, reblogsCount: 2 })
    const uri = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    for (const [of, totalItems] of [
      ['likes', 3],
      ['shares', 2],
    ] as const) {
      const { body } = await fetchDocument(`${uri}/${of}`)
      expect(body).toEqual({
        '@context': body['@context'],
        id: `${uri}/${of}`,
        type: 'Collection',
        totalItems,
      })
    }
  })

  it('lists replies in the replies collection, those of the author first [T-996]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const remote = await given.remoteAccount()
    const first = await given.status({ by: alice })
    const theirs = await given.status({ by: bob, inReplyTo: first })
    const own = await given.status({ by: alice, inReplyTo: first })
    const far = await storedStatus({ accountId: remote.id, local: false, inReplyToId: Number(first.id) })

    const replies = `https://fieldfare.test/users/${alice.username}/statuses/${first.id}/replies`
    const whole = await fetchDocument(replies)
    expect(whole.body).toMatchObject({
      id: replies,
      type: 'Collection',
      first: { type: 'CollectionPage', partOf: replies, id: `${replies}?page=true` },
    })
    expect(whole.costs.trips).toBeLessThanOrEqual(1)
    const page = await fetchDocument(`${replies}?page=true`)
    expect(itemsOf(page.body)).toEqual([`https://fieldfare.test/users/${alice.username}/statuses/${own.id}`])
    const others = await fetchDocument(`${page.body['next']}`)
    expect(itemsOf(others.body)).toEqual([
      `https://fieldfare.test/users/${bob.username}/statuses/${theirs.id}`,
      `https://elsewhere.test/statuses/${far}`,
    ])
    expect(others.body).not.toHaveProperty('next')
  })

  it('lists all replies, however many [T-136]', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const inReplyToId = await storedStatus({ accountId: alice.id })
    const uris = new Set<string>()
    for (let index = 0; index < 45; index += 1) {
      const by = index % 2 === 0 ? alice : bob
      const id = await storedStatus({ accountId: by.id, inReplyToId })
      uris.add(`https://fieldfare.test/users/${by.username}/statuses/${id}`)
    }

    const { body } = await fetchDocument(`/users/${alice.username}/statuses/${inReplyToId}`)
    const found: unknown[] = []
    let page: unknown = Object.getOwnPropertyDescriptor(body['replies'], 'first')?.value
    while (typeof page === 'object' && page !== null) {
      const { items, next } = { items: [], next: undefined, ...page }
      found.push(...items)
      page = next === undefined ? null : (await fetchDocument(`${next}`)).body
    }
    expect(new Set(found)).toEqual(uris)
    expect(found).toHaveLength(uris.size)
  })
})
