import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import type { Peer } from '../support/fediverse/peer'
import { given } from '../support/given'
import { clock } from '../support/test-app'

const { network } = fediverse
const origin = 'https://fieldfare.test'

type Searcher = ReturnType<typeof as>

const find = async (searcher: Searcher, q: string, more: Readonly<Record<string, string>> = {}) =>
  (await searcher.get(`/api/v2/search?${new URLSearchParams({ q, ...more })}`)).body

const resolve = (searcher: Searcher, q: string, more = {}) => find(searcher, q, { resolve: 'true', ...more })

const nothing = { accounts: [], statuses: [], hashtags: [], collections: [] }

/** Lets the profile page of a peer answer as pages do: HTML that links the document. */
function servePage(peer: Peer): string {
  const { url, uri } = peer.at
  const link = `<link rel="alternate" type="application/activity+json" href="${uri}">`
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  network.respond(url, () => new Response(`<html><head>${link}</head></html>`, { headers }))
  return url
}

/** Counts the requests for documents and pages since `mark`, WebFinger aside. */
const asked = (peer: Peer, mark: number) =>
  network
    .since(mark)
    .map(({ url }) => url)
    .filter((url) => url.startsWith(peer.at.origin) && !url.includes('/.well-known/'))

describe('search by the address of an unknown account', () => {
  it('finds accounts by their actor id, with one request for the document', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    const mark = network.mark()

    expect(await resolve(as(alice), peer.uri)).toMatchObject({
      accounts: [{ acct: peer.handle, uri: peer.uri }],
      statuses: [],
    })
    expect(asked(peer, mark)).toEqual([peer.uri])
  })

  it('finds accounts by their profile page, and by it again without a request', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor({ software: 'misskey' })]
    const page = servePage(peer)

    expect(await resolve(as(alice), page)).toMatchObject({ accounts: [{ acct: peer.handle }] })

    const mark = network.mark()
    for (const params of [{}, { resolve: 'true' }])
      expect(await find(as(alice), page, params)).toMatchObject({ accounts: [{ acct: peer.handle }] })
    expect(asked(peer, mark)).toEqual([])
  })

  it('finds accounts where accounts alone are requested, and not where statuses alone are', async () => {
    const [alice, peer, other] = [await given.account(), await fediverse.actor(), await fediverse.actor()]

    expect(await resolve(as(alice), peer.uri, { type: 'accounts' })).toMatchObject({
      accounts: [{ acct: peer.handle }],
    })
    expect(await resolve(as(alice), other.uri, { type: 'statuses' })).toEqual(nothing)
    expect(await resolve(as(alice), other.uri)).toMatchObject({ accounts: [{ acct: other.handle }] })
  })
})

describe('search by the address of an unknown post', () => {
  it('finds the post and stores its author, who is then found by id', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    const note = peer.note()

    expect(await resolve(as(alice), note.id)).toMatchObject({
      statuses: [{ uri: note.id, account: { acct: peer.handle } }],
      accounts: [],
    })
    expect(await find(as(alice), peer.uri)).toMatchObject({ accounts: [{ acct: peer.handle }] })
  })

  it('finds the post by the address of its activity', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const note = peer.note()
    const create = peer.create(note)
    network.serve(create.id, create)

    expect(await resolve(as(alice), create.id)).toMatchObject({ statuses: [{ uri: note.id }] })
  })

  it('search by the address of an unknown post is not repeated for a minute where the address led to neither post nor account', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    const address = `${peer.at.origin}/about`
    network.missing(address)
    const mark = network.mark()

    expect(await resolve(as(alice), address)).toEqual(nothing)
    expect(await resolve(as(alice), address)).toEqual(nothing)
    expect(asked(peer, mark)).toEqual([address])

    clock.advance(61_000)
    network.serve(address, { ...peer.document, id: peer.uri })
    expect(await resolve(as(alice), address)).toMatchObject({ accounts: [{ acct: peer.handle }] })
  })
})

describe('search by an address of this server', () => {
  it('finds accounts by actor id and page, and their posts by both, without a request', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: bob })
    const mark = network.mark()

    for (const params of [{}, { resolve: 'true' }]) {
      for (const form of [`/users/${bob.username}`, `/@${bob.username}`])
        expect(await find(as(alice), origin + form, params)).toMatchObject({
          accounts: [{ id: String(bob.id) }],
        })
      for (const form of [`/users/${bob.username}/statuses/${id}`, `/@${bob.username}/${id}`])
        expect(await find(as(alice), origin + form, params)).toMatchObject({ statuses: [{ id }] })
    }
    expect(await resolve(as(alice), `${origin}/about`)).toEqual(nothing)
    expect(network.since(mark)).toEqual([])
  })

  it('costs at most three database round trips', async () => {
    const [alice, bob] = [await given.account(), await given.peer()]
    const path = `/api/v2/search?${new URLSearchParams({ q: bob.uri, resolve: 'true' })}`
    const { body, costs } = await as(alice).get(path)
    expect(body).toMatchObject({ accounts: [{ acct: bob.handle }] })
    expect(costs.trips).toBeLessThanOrEqual(3)
  })
})
