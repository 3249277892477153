import { describe, expect, it } from 'vitest'
import { customEmojis, featuredTags, statusPins, tags, tombstones } from '../../../src/db/schema'
import { actorOf, createOf, noteOf } from '../../support/documents'
import { fetchDocument } from '../../support/fetch-document'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

async function pin(accountId: number, statusId: number): Promise<void> {
  const { db, ids } = context()
  await db.insert(statusPins).values({ id: ids.next(), accountId, statusId })
}

describe('an account fetched as a document', () => {
  it('serves the actor in one small round trip [T-125]', async () => {
    const alice = await given.account({ publicKey: 'PEM' })
    const { status, body, headers, costs } = await fetchDocument(`/users/${alice.username}`)
    const { '@context': context, ...actor } = body
    expect({ status, actor }).toEqual({ status: 200, actor: await actorOf(alice) })
    expect(context).toContain('https://www.w3.org/ns/activitystreams')
    expect(headers.get('content-type')).toBe('application/activity+json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=30')
    expect(headers.get('vary')).toMatch(/Accept, Signature/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(costs.statements).toBeLessThanOrEqual(6)
    expect(costs.rowsRead).toBeLessThanOrEqual(20)
  })

  it('an account fetched as a document names its handle at the handle domain, with the context of that property', async () => {
    const { username } = await given.account()
    const config = {
      ...context().config,
      domain: 'birds.test',
      ownDomains: ['birds.test', 'fieldfare.test'],
    }
    for (const [path, handle] of [
      [`/users/${username}`, `${username}@birds.test`],
      ['/actor', 'birds.test@birds.test'],
    ] as const) {
      const { body } = await fetchDocument(path, { overrides: { config } })
      expect(body).toMatchObject({
        id: `https://fieldfare.test${path}`,
        webfinger: handle,
        '@context': expect.arrayContaining(['https://purl.archive.org/socialweb/webfinger']),
      })
    }
  })

  it.each([
    ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 200],
    ['application/activity+json, application/ld+json, text/html;q=0.1', 200],
    ['application/json', 200],
    ['text/html', 301],
    ['text/html,application/xhtml+xml,application/json;q=0.9', 301],
    [null, 301],
  ])('the actor is served as what %s prefers [T-126]', async (accept, status) => {
    const { username } = await given.account()
    const answer = await fetchDocument(`/users/${username}`, { accept })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('vary')).toMatch(/\bAccept\b/)
    if (status === 301) expect(answer.headers.get('location')).toBe(`https://fieldfare.test/@${username}`)
  })

  it('answers at the address of the page as well [T-127]', async () => {
    const { username } = await given.account()
    const id = `https://fieldfare.test/users/${username}`
    expect(await fetchDocument(`/@${username}`)).toMatchObject({ status: 200, body: { id } })
    expect(await fetchDocument(`/@${username}@fieldfare.test`)).toMatchObject({ status: 200, body: { id } })
    const page = await fetchDocument(`/@${username}`, { accept: 'text/html' })
    expect(page.headers.get('content-type')).toMatch(/html/)
    expect(page.headers.get('vary')).toMatch(/\bAccept\b/)
  })

  it('answers 404 for remote, unconfirmed, unapproved and unknown accounts [T-985]', async () => {
    const remote = await given.remoteAccount()
    const newcomer = await given.account({ user: { confirmedAt: null } })
    const waiting = await given.account({ user: { approved: false } })
    const paths = [
      `/users/${waiting.username}`,
      `/users/${waiting.username}/outbox`,
      `/users/${remote.username}`,
      `/@${remote.username}@${remote.domain}`,
      `/users/${newcomer.username}`,
      '/users/nobody',
      `/users/${newcomer.username}/outbox`,
      `/users/${newcomer.username}/followers`,
      '/users/nobody/collections/featured',
    ]
    for (const path of paths) {
      const answer = await fetchDocument(path)
      expect(answer, path).toMatchObject({ status: 404, body: { error: 'Record not found' } })
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  it('serves a suspended account with suspended: true and nothing more [T-983]', async () => {
    const { username } = await given.account({ suspendedAt: clock.now(), displayName: 'Alice' })
    expect(await fetchDocument(`/users/${username}`)).toMatchObject({
      status: 200,
      body: { suspended: true, name: '' },
    })
    for (const path of ['outbox', 'outbox?page=true', 'followers', 'following', 'collections/featured'])
      expect(await fetchDocument(`/users/${username}/${path}`), path).toMatchObject({ status: 403 })
  })

  it('serves a tombstone of a deleted account and its collections [T-984]', async () => {
    const uri = 'https://fieldfare.test/users/deleted-actor'
    await context()
      .db.insert(tombstones)
      .values({ uri, deletedAt: new Date('2026-10-01'), published: true })
    for (const path of [
      '',
      '/outbox',
      '/outbox?page=true',
      '/followers',
      '/following',
      '/collections/featured',
    ])
      expect(await fetchDocument(`/users/deleted-actor${path}`), path).toMatchObject({
        status: 410,
        body: { id: uri, type: 'Tombstone', deleted: '2026-10-01T00:00:00Z' },
      })
  })

  it('serves actor, collections and statuses as ActivityPub, with Vary for caches [T-982]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    for (const path of [
      '',
      '/outbox',
      '/followers',
      '/following',
      '/collections/featured',
      `/statuses/${id}`,
    ]) {
      const { status, headers } = await fetchDocument(`/users/${alice.username}${path}`)
      expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        path,
        200,
        'application/activity+json; charset=utf-8',
        'public, max-age=30',
      ])
      expect(headers.get('vary')).toMatch(/Accept, Signature/)
    }
  })
})

describe('an outbox', () => {
  it('lists public statuses in the outbox, newest first, page by page', async () => {
    const alice = await given.account()
    const first = await given.status({ by: alice, text: 'first' })
    const second = await given.status({ by: alice, text: 'second', visibility: 'unlisted' })
    const bob = await given.remoteAccount()
    const shared = await storedStatus({ accountId: bob.id, local: false })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: shared })

    const outbox = `https://fieldfare.test/users/${alice.username}/outbox`
    expect((await fetchDocument(outbox)).body).toMatchObject({
      id: outbox,
      type: 'OrderedCollection',
      totalItems: 2,
      first: `${outbox}?page=true`,
    })
    const { body, costs } = await fetchDocument(`${outbox}?page=true`)
    expect(body).toMatchObject({
      id: `${outbox}?page=true`,
      type: 'OrderedCollectionPage',
      partOf: outbox,
      orderedItems: [
        { type: 'Announce', object: `https://elsewhere.test/statuses/${shared}` },
        await createOf(alice, second.id),
        await createOf(alice, first.id),
      ],
    })
    expect(body).not.toHaveProperty('next')
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect((await fetchDocument(`${outbox}?max_id=${reblog}&page=true`)).body).toMatchObject({
      orderedItems: [{ object: { content: '<p>second</p>' } }, { object: { content: '<p>first</p>' } }],
    })
  })

  it('links a next page after a full one', async () => {
    const alice = await given.account()
    const ids: number[] = []
    for (let index = 0; index < 22; index += 1)
      ids.push(await storedStatus({ accountId: alice.id, localOnly: index === 5 }))
    const outbox = `https://fieldfare.test/users/${alice.username}/outbox`
    const { body } = await fetchDocument(`${outbox}?page=true`)
    expect(body['orderedItems']).toHaveLength(20)
    expect(body['next']).toBe(`${outbox}?max_id=${ids[1]}&page=true`)
    expect((await fetchDocument(`${body['next']}`)).body['orderedItems']).toHaveLength(1)
  })
})

describe('followers and following', () => {
  it('serves followers and following with totals and pages', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const carol = await given.remoteAccount()
    await relation.follow(bob, alice)
    await relation.follow(carol, alice)
    await relation.follow(alice, bob)

    const uri = `https://fieldfare.test/users/${alice.username}`
    const bobUri = `https://fieldfare.test/users/${bob.username}`
    expect((await fetchDocument(`${uri}/followers`)).body).toMatchObject({
      id: `${uri}/followers`,
      type: 'OrderedCollection',
      totalItems: 2,
      first: `${uri}/followers?page=true`,
    })
    const page = await fetchDocument(`${uri}/followers?page=true`)
    expect(page.body).toMatchObject({ partOf: `${uri}/followers`, orderedItems: [carol.uri, bobUri] })
    expect(page.costs.trips).toBeLessThanOrEqual(1)
    expect((await fetchDocument(`${uri}/following?page=true`)).body).toMatchObject({
      orderedItems: [bobUri],
    })
  })

  it('links a next page after a full one', async () => {
    const alice = await given.account()
    const followers = await given.accounts(41)
    for (const follower of followers) await relation.follow(follower, alice)
    const { body } = await fetchDocument(`/users/${alice.username}/followers?page=true`)
    expect(body['orderedItems']).toHaveLength(40)
    const next = await fetchDocument(`${body['next']}`)
    expect(next.body['orderedItems']).toEqual([`https://fieldfare.test/users/${followers[0]?.username}`])
    expect(next.body).not.toHaveProperty('next')
  })

  it('serves only totals where the owner hides them [T-128]', async () => {
    const alice = await given.account({ hideCollections: true })
    await relation.follow(await given.account(), alice)
    for (const listing of ['followers', 'following']) {
      const { body } = await fetchDocument(`/users/${alice.username}/${listing}`)
      expect(body).toMatchObject({ totalItems: listing === 'followers' ? 1 : 0 })
      expect(body).not.toHaveProperty('first')
      expect(await fetchDocument(`/users/${alice.username}/${listing}?page=true`)).toMatchObject({
        status: 403,
        body: { error: 'This account does not show its network' },
      })
    }
  })
})

describe('featured collections of an account', () => {
  it('serves pins, newest first, and only public ones', async () => {
    const alice = await given.account()
    const open = await storedStatus({ accountId: alice.id })
    const closed = await storedStatus({ accountId: alice.id, visibility: 'private' })
    const local = await storedStatus({ accountId: alice.id, localOnly: true })
    const unlisted = await storedStatus({ accountId: alice.id, visibility: 'unlisted' })
    for (const id of [open, closed, local, unlisted]) await pin(alice.id, id)

    const { body, costs } = await fetchDocument(`/users/${alice.username}/collections/featured`)
    expect(body).toMatchObject({
      type: 'OrderedCollection',
      totalItems: 2,
      orderedItems: [await noteOf(alice, unlisted), await noteOf(alice, open)],
    })
    expect(costs.trips).toBeLessThanOrEqual(1)
  })

  it('serves featured hashtags', async () => {
    const { id: accountId, username } = await given.account()
    const { db, ids } = context()
    const [id, tagId] = [ids.next(), ids.next()]
    await db
      .insert(tags)
      .values({ id: tagId, name: 'wrenday', displayName: 'WrenDay', createdAt: clock.now() })
    await db.insert(featuredTags).values({ id, accountId, tagId, name: 'WrenDay', createdAt: clock.now() })
    expect((await fetchDocument(`/users/${username}/collections/tags`)).body).toMatchObject({
      type: 'Collection',
      totalItems: 1,
      items: [
        {
          type: 'Hashtag',
          name: '#WrenDay',
          href: `https://fieldfare.test/@${username}/tagged/wrenday`,
        },
      ],
    })
  })
})

describe('a custom emoji', () => {
  it('serves a custom emoji at the address its tags name, unless it is disabled or remote', async () => {
    const { db, ids } = context()
    const at = { createdAt: clock.now() }
    const image = { key: 'emojis/wren.png' }
    await db.insert(customEmojis).values([
      { id: ids.next(), shortcode: 'wren_ap', image, ...at },
      { id: ids.next(), shortcode: 'wren_off', image, disabled: true, ...at },
      { id: ids.next(), shortcode: 'wren_far', image, domain: 'elsewhere.test', ...at },
    ])
    const id = 'https://fieldfare.test/emojis/wren_ap'
    expect(await fetchDocument(id)).toMatchObject({
      status: 200,
      body: {
        id,
        type: 'Emoji',
        name: ':wren_ap:',
        icon: { mediaType: 'image/png', url: 'https://fieldfare.test/media/emojis/wren.png' },
      },
    })
    for (const other of ['wren_off', 'wren_far', 'none'])
      expect(await fetchDocument(`/emojis/${other}`)).toMatchObject({ status: 404 })
  })
})
