import { describe, expect, it } from 'vitest'
import type { Verify } from '../../../src/activitypub/routes/respond'
import { as } from '../../support/as'
import { fetchDocument } from '../../support/fetch-document'
import { given } from '../../support/given'
import { storedCollection } from '../../support/given-collection'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { askAs, signedBy } from '../../support/signed-reader'
import { clock, context } from '../../support/test-app'

const { config } = context()
const closed = (closing: Partial<typeof config.federation>) => ({
  config: { ...config, federation: { ...config.federation, ...closing } },
})
const strict = closed({ signedOnly: true })
const verdict = (kind: 'unsigned' | 'gone' | 'refused' | 'retry'): Verify =>
  kind === 'unsigned' || kind === 'gone'
    ? async () => ({ kind })
    : async () => ({ kind, reason: 'no such key' })

describe('a status fetched with a signature', () => {
  it.each([
    ['public', 'stranger', 200],
    ['unlisted', 'stranger', 200],
    ['private', 'stranger', 404],
    ['private', 'follower', 200],
    ['private', 'mentioned', 200],
    ['private', 'blocked', 404],
    ['direct', 'follower', 404],
    ['direct', 'mentioned', 200],
    ['direct', 'stranger', 404],
    ['public', 'blocked', 404],
  ] as const)('%s for a %s: %i [T-986]', async (visibility, who, status) => {
    const alice = await given.account()
    const reader = await given.remoteAccount()
    const text = who === 'mentioned' ? `@${reader.username}@${reader.domain} hello` : 'hello'
    const { id } = await given.status({ by: alice, text, visibility })
    if (who === 'follower') await relation.follow(reader, alice)
    if (who === 'blocked') await relation.block(alice, reader)

    for (const path of ['', '/activity', '/replies', '/likes', '/shares']) {
      const answer = await askAs(signedBy(reader), `/users/${alice.username}/statuses/${id}${path}`)
      expect(answer.status, path).toBe(status)
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('vary')).toContain('Signature')
    }
  })

  it('never serves a local-only status, not even to followers and mentioned accounts', async () => {
    const alice = await given.account()
    const reader = await given.remoteAccount()
    await relation.follow(reader, alice)
    const id = await storedStatus({ accountId: alice.id, localOnly: true })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: id })
    for (const path of [`${id}`, `${id}/activity`, `${id}/replies`, `${id}/likes`, `${reblog}/activity`])
      expect(await askAs(signedBy(reader), `/users/${alice.username}/statuses/${path}`)).toMatchObject({
        status: 404,
        body: { error: 'Record not found' },
      })
  })

  it('serves the anonymous view when the signature is invalid [T-130]', async () => {
    const alice = await given.account()
    const open = await given.status({ by: alice })
    const hidden = await given.status({ by: alice, visibility: 'private' })
    for (const kind of ['unsigned', 'gone', 'refused', 'retry'] as const) {
      const ask = (id: string) => askAs(verdict(kind), `/users/${alice.username}/statuses/${id}`)
      expect(await ask(open.id)).toMatchObject({ status: 200 })
      expect(await ask(hidden.id)).toMatchObject({ status: 404 })
    }
  })
})

describe('a collection fetched with a signature', () => {
  const items = (body: unknown) => JSON.stringify(body)

  it('a collection fetched with a signature shows public statuses only [T-131]', async () => {
    const alice = await given.account()
    const follower = await given.remoteAccount()
    await relation.follow(follower, alice)
    const parent = await storedStatus({ accountId: alice.id })
    const hidden: number[] = []
    for (const row of [{ visibility: 'private' }, { visibility: 'direct' }, { localOnly: true }] as const)
      hidden.push(await storedStatus({ accountId: alice.id, inReplyToId: parent, ...row }))
    const person = `/users/${alice.username}`
    const paths = [
      `${person}/outbox?page=true`,
      `${person}/collections/featured`,
      `${person}/statuses/${parent}`,
      `${person}/statuses/${parent}/replies?page=true`,
      `${person}/statuses/${parent}/replies?only_other_accounts=true&page=true`,
    ]
    for (const path of paths) {
      const answers = [await fetchDocument(path), await askAs(signedBy(follower), path)]
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        for (const id of hidden) expect(items(answer.body), path).not.toContain(`${id}`)
      }
    }
    for (const id of hidden)
      expect(await fetchDocument(`${person}/statuses/${id}`)).toMatchObject({ status: 404 })
  })

  it('leaves out replies of suspended accounts and of accounts that block the reader', async () => {
    const [alice, gone, shy] = [
      await given.account(),
      await given.account({ suspendedAt: clock.now() }),
      await given.account(),
    ]
    const reader = await given.remoteAccount()
    await relation.block(shy, reader)
    const parent = await storedStatus({ accountId: alice.id })
    await storedStatus({ accountId: gone.id, inReplyToId: parent })
    const shyReply = await storedStatus({ accountId: shy.id, inReplyToId: parent })
    const path = `/users/${alice.username}/statuses/${parent}/replies?only_other_accounts=true&page=true`
    const shyUri = `https://fieldfare.test/users/${shy.username}/statuses/${shyReply}`

    expect((await fetchDocument(path)).body).toMatchObject({ items: [shyUri] })
    expect((await askAs(signedBy(reader), path)).body).toMatchObject({ items: [] })
  })

  it('a collection fetched with a signature is empty for accounts its owner blocks [T-132]', async () => {
    const alice = await given.account()
    const reader = await given.remoteAccount()
    await relation.follow(await given.account(), alice)
    await storedStatus({ accountId: alice.id })
    await storedCollection({ by: alice, discoverable: true })
    await as(alice).post('/api/v1/featured_tags', { name: 'wrenday' })
    await relation.block(alice, reader)
    for (const path of [
      'outbox?page=true',
      'followers?page=true',
      'collections/featured',
      'featured_collections',
    ])
      expect(await askAs(signedBy(reader), `/users/${alice.username}/${path}`), path).toMatchObject({
        status: 200,
        body: { orderedItems: [] },
      })
    const tags = `/users/${alice.username}/collections/tags`
    expect(await askAs(signedBy(reader), tags)).toMatchObject({ status: 200, body: { items: [] } })
    expect(await askAs(signedBy(await given.remoteAccount()), tags)).toMatchObject({
      body: { totalItems: 1, items: [{ name: '#wrenday' }] },
    })
  })

  it('a response for a signed reader is not cached for others [T-133]', async () => {
    const alice = await given.account()
    for (const path of [
      'outbox?page=true',
      'collections/featured',
      'collections/tags',
      'featured_collections',
    ]) {
      const { headers } = await askAs(
        signedBy(await given.remoteAccount()),
        `/users/${alice.username}/${path}`,
      )
      expect([path, headers.get('cache-control')]).toEqual([path, 'private, no-store'])
    }
  })

  it('a collection fetched with a signature leaves out suspended followers', async () => {
    const alice = await given.account()
    await relation.follow(await given.account({ suspendedAt: clock.now() }), alice)
    const { body } = await fetchDocument(`/users/${alice.username}/followers?page=true`)
    expect(body).toMatchObject({ orderedItems: [] })
  })

  it('serves an empty collection of a suspended account, and none of its statuses', async () => {
    const alice = await given.account({ suspendedAt: clock.now() })
    const id = await storedStatus({ accountId: alice.id })
    for (const path of ['', '/activity', '/replies', '/likes'])
      expect(await fetchDocument(`/users/${alice.username}/statuses/${id}${path}`), path).toMatchObject({
        status: 404,
      })
  })
})

describe('answers to signed fetches', () => {
  it('refuses suspended servers, also for public documents [T-134]', async () => {
    const alice = await given.account()
    const reader = await given.remoteAccount()
    const { id } = await given.status({ by: alice })
    for (const path of [`/users/${alice.username}`, `/users/${alice.username}/statuses/${id}`])
      expect(await askAs(signedBy(reader, { suspended: true }), path)).toMatchObject({ status: 403 })
  })

  it.each([
    ['unsigned', 401],
    ['gone', 401],
    ['refused', 401],
    ['retry', 503],
  ] as const)('refuses requests that are %s in secure mode [T-987]', async (kind, status) => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const person = `/users/${alice.username}`
    const paths = ['', '/outbox', '/followers', '/collections/featured', `/statuses/${id}`].map(
      (path) => `${person}${path}`,
    )
    for (const path of [...paths, `${person}/statuses/${id}/replies`, `/@${alice.username}`])
      expect(await askAs(verdict(kind), path, strict), path).toMatchObject({ status })
  })

  it('answers every signed request in secure mode [T-988]', async () => {
    const alice = await given.account()
    const reader = await given.remoteAccount()
    expect(await askAs(signedBy(reader), `/users/${alice.username}`, strict)).toMatchObject({ status: 200 })
  })

  it('answers requests for actors and WebFinger even in secure mode', async () => {
    const { username } = await given.account()
    const overrides = { overrides: strict }
    for (const path of [`/.well-known/webfinger?resource=acct:${username}@fieldfare.test`, '/actor'])
      expect(await fetchDocument(path, overrides), path).toMatchObject({ status: 200 })
    const page = await fetchDocument(`/@${username}`, { accept: 'text/html', ...overrides })
    expect(page.status).toBe(200)
  })

  it('refuses unsigned requests with limited federation', async () => {
    const alice = await given.account()
    const path = `/users/${alice.username}`
    expect(await askAs(verdict('unsigned'), path, closed({ limited: true }))).toMatchObject({ status: 401 })
  })
})
