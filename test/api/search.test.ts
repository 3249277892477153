import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { tags } from '../../src/db/schema'
import type { Resolver } from '../../src/ports/federation'
import { anonymous, as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { freshName, given } from '../support/given'
import { relation } from '../support/given-relationships'
import { context } from '../support/test-app'

const path = '/api/v2/search'
const query = (params: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(params)}`
const empty = { accounts: [], statuses: [], hashtags: [], collections: [] }

/** Stands for WebFinger of other servers, and remembers which handles it was asked for. */
function elsewhere(accountByHandle: Resolver['accountByHandle'] = async () => null) {
  const asked: unknown[] = []
  const resolver: Resolver = {
    ...context().resolver,
    accountByHandle: async (handle) => {
      asked.push(handle)
      return accountByHandle(handle)
    },
  }
  return { asked, options: { overrides: { resolver } } }
}

describe('GET /api/v2/search', () => {
  it('no q → 400; negative limit or offset → 400 [T-479]', async () => {
    const alice = await given.account()
    for (const params of [{}, { q: ' ' }, { q: 'a', limit: '-1' }, { q: 'a', offset: '-1' }])
      expect((await as(alice).get(query(params))).status).toBe(400)
    expect((await as(alice).get(query({ q: 'a', type: 'birds' }))).status).toBe(422)
  })

  it('treats an unknown token like no token', async () => {
    for (const params of [{}, { q: 'a', limit: '-1' }, { q: 'a', offset: '1' }, { q: 'a' }])
      for (const _ of ['asks the database', 'is remembered']) {
        const [unknown, none] = [await as('unknown').get(query(params)), await anonymous.get(query(params))]
        expect([unknown.status, unknown.body]).toEqual([none.status, none.body])
      }
  })

  it('finds the account of a handle at the host of a server, though the handle has another domain', async () => {
    const alice = await given.account()
    const peer = await fediverse.actor({ host: 'social.split-9.test', accountDomain: 'split-9.test' })
    for (const type of [{}, { type: 'accounts' }]) {
      const q = `@${peer.username}@social.split-9.test`
      const { body } = await as(alice).get(query({ q, resolve: 'true', ...type }))
      expect(body).toMatchObject({ accounts: [{ acct: `${peer.username}@split-9.test` }] })
    }
  })

  it('anonymous with resolve or offset → 401, otherwise public results [T-480]', async () => {
    const alice = await given.account()
    for (const params of [
      { q: 'a', resolve: 'true' },
      { q: 'a', offset: '1' },
    ])
      expect((await anonymous.get(query(params))).status).toBe(401)
    expect((await anonymous.get(query({ q: alice.username }))).body).toMatchObject({
      accounts: [{ id: String(alice.id) }],
      hashtags: [],
    })
  })

  it('q → accounts, statuses, hashtags arrays; type → only that array filled [T-481]', async () => {
    const name = freshName('heron')
    const [alice, bird] = [await given.account(), await given.account({ username: name })]
    const { id } = await given.status({ by: alice, text: `#${name}xyz #${name}` })
    const all = await as(alice).get(query({ q: name }))
    expect(all.body).toMatchObject({
      accounts: [{ id: String(bird.id) }],
      hashtags: [{ name, history: expect.any(Array) }, { name: `${name}xyz` }],
      statuses: [{ id }],
    })
    expect(all.costs.trips).toBe(1)
    const only = async (type: string) => (await as(alice).get(query({ q: name, type }))).body
    const one = [expect.any(Object)]
    expect(await only('accounts')).toEqual({ ...empty, accounts: one })
    expect(await only('hashtags')).toEqual({ ...empty, hashtags: [...one, ...one] })
    expect(await only('statuses')).toEqual({ ...empty, statuses: one })
  })

  it('pages a single kind only', async () => {
    const [name, alice] = [freshName('heron'), await given.account()]
    await given.status({ by: alice, text: `#${name}xyz #${name}` })
    const second = { q: `#${name}`, limit: '1', offset: '1' }
    expect((await as(alice).get(query({ ...second, type: 'hashtags' }))).body).toEqual({
      ...empty,
      hashtags: [expect.objectContaining({ name: `${name}xyz` })],
    })
    expect((await as(alice).get(query(second))).body).toMatchObject({ hashtags: [{ name }] })
  })

  it('finds hashtags for viewers who may read a post with them, because a name can reveal as much as a post', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const name = freshName('shrike')
    await given.status({ by: alice, text: `@${bob.username} #${name}`, visibility: 'direct' })
    const found = async (reader: ReturnType<typeof as>) =>
      (await reader.get(query({ q: name, type: 'hashtags' }))).body
    for (const reader of [as(alice), as(bob)])
      expect(await found(reader)).toMatchObject({ hashtags: [{ name }] })
    for (const reader of [as(carol), anonymous]) expect(await found(reader)).toEqual(empty)
    await given.status({ by: alice, text: `#${name}`, visibility: 'unlisted' })
    for (const reader of [as(carol), anonymous])
      expect(await found(reader)).toMatchObject({ hashtags: [{ name }] })
  })

  it('finds hashtags in any spelling, unless they are unlisted, or unreviewed and excluded', async () => {
    const [name, alice] = [freshName('bluethroat'), await given.account()]
    await given.status({ by: alice, text: `#${name}Élan #${name}x #${name}y` })
    const { db } = context()
    await db
      .update(tags)
      .set({ trendable: false })
      .where(eq(tags.name, `${name}elan`))
    await db
      .update(tags)
      .set({ listable: false })
      .where(eq(tags.name, `${name}y`))
    const search = async (q: string, more = {}) =>
      (await as(alice).get(query({ q, type: 'hashtags', ...more }))).body
    for (const q of [`#${name.toUpperCase()}ÉL`, `${name}elan`])
      expect(await search(q)).toMatchObject({ hashtags: [{ name: `${name}Élan` }] })
    expect(await search(name)).toMatchObject({ hashtags: [{ name: `${name}Élan` }, { name: `${name}x` }] })
    const reviewed = { exclude_unreviewed: 'true' }
    expect(await search(name, reviewed)).toMatchObject({ hashtags: [{ name: `${name}Élan` }] })
    expect(await search(`#${name}x`, reviewed)).toMatchObject({ hashtags: [{ name: `${name}x` }] })
  })

  it('following=true → followed accounts only [T-482]', async () => {
    const name = freshName('finch')
    const alice = await given.account()
    const [followed] = [
      await given.account({ username: `${name}a` }),
      await given.account({ username: `${name}b` }),
    ]
    await relation.follow(alice, followed)
    const { body } = await as(alice).get(query({ q: name, following: 'true' }))
    expect(body).toMatchObject({ accounts: [{ id: String(followed.id) }] })
  })

  it('full handle with resolve and a user → fetched and returned; without resolve nothing is fetched [T-483]', async () => {
    const alice = await given.account()
    const there = await given.remoteAccount()
    const handle = `@${there.username}@${there.domain}`
    const far = elsewhere()
    const { body } = await as(alice).get(query({ q: handle, resolve: 'true' }), far.options)
    expect(body).toMatchObject({ accounts: [{ id: String(there.id) }], hashtags: [] })
    expect(far.asked).toEqual([{ username: there.username, domain: there.domain }])
    const near = elsewhere()
    await as(alice).get(query({ q: handle }), near.options)
    expect(near.asked).toEqual([])
  })

  it('URL with resolve and a user → its status or account [T-484]', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    const note = peer.note()
    const find = async (q: string) => (await as(alice).get(query({ q, resolve: 'true' }))).body

    expect(await find(note.id)).toMatchObject({ statuses: [{ uri: note.id }], accounts: [] })
    expect(await find(peer.uri)).toMatchObject({ statuses: [], accounts: [{ uri: peer.uri }] })
    expect(await find('https://far.test/notes/1')).toEqual(empty)
  })

  it('finds a known URL without a request, as far as it is visible', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const open = await given.status({ by: alice })
    const secret = await given.status({ by: alice, visibility: 'private' })
    const address = (id: string) => `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    const mark = fediverse.network.mark()
    const find = async (q: string) => (await as(bob).get(query({ q }))).body
    expect(await find(address(open.id))).toMatchObject({ statuses: [{ id: open.id }] })
    expect(await find(address(secret.id))).toEqual(empty)
    expect(await find(`https://fieldfare.test/users/${alice.username}`)).toMatchObject({
      accounts: [{ id: String(alice.id) }],
    })
    expect(fediverse.network.since(mark)).toEqual([])
  })
})
