import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fileUrl } from '../../src/view/urls'
import { as } from '../support/as'
import { runCourierAlarms } from '../support/courier'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { knownPeer } from '../support/given-peer'
import { context, fetchApp, settleLateWork } from '../support/test-app'
import { relationshipBetween } from '../support/viewer-state'

/** Claims of other servers about pages, files, quotes and follows that must be neither believed nor obeyed. */

const { network } = fediverse
const Made = z.looseObject({ id: z.string() })

const search = (by: TestAccount, q: string) =>
  as(by).get(`/api/v2/search?${new URLSearchParams({ q, resolve: 'true' })}`)

function servePage(url: string, documentUrl: string): void {
  const link = `<link rel="alternate" type="application/activity+json" href="${documentUrl}">`
  const headers = { 'content-type': 'text/html' }
  network.respond(url, () => new Response(`<html><head>${link}</head></html>`, { headers }))
}

describe('pages that name other pages as their documents', () => {
  it('pages that name other pages as their documents are given up after the second, in a chain and in a loop', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    const page = (number: number) => `${peer.at.origin}/pages/${number}`
    for (let number = 0; number < 20; number += 1) servePage(page(number), page((number + 1) % 20))
    const mark = network.mark()
    expect((await search(alice, page(0))).body).toMatchObject({ accounts: [], statuses: [] })
    expect(network.since(mark).map(({ url }) => url)).toEqual([page(0), page(1)])
  })

  it('pages that name other pages as their documents are given up after few requests where redirects and documents continue as well', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    const at = (step: string) => `${peer.at.origin}/maze/${step}`
    network.fail(at('in'), { redirect: at('hall') })
    network.fail(at('hall'), { redirect: at('page') })
    servePage(at('page'), at('stairs'))
    network.fail(at('stairs'), { redirect: at('cellar') })
    network.fail(at('cellar'), { redirect: at('note') })
    network.serve(at('note'), { ...peer.note({ served: false }), id: at('in') })
    const mark = network.mark()
    expect((await search(alice, at('in'))).body).toMatchObject({ accounts: [], statuses: [] })
    expect(network.since(mark).length).toBeLessThanOrEqual(10)
  })
})

describe('a post that names the page of another as its own', () => {
  it('a post that names another page as its own is neither found by that page nor linked to it [T-029]', async () => {
    const alice = await given.account()
    const [eve, victim] = [await knownPeer(), await knownPeer()]
    const said = victim.note({ content: '<p>what was said</p>' })
    const page = `${victim.at.origin}/@victim/1`
    servePage(page, said.id)
    const forged = eve.note({ content: '<p>never said</p>', document: { url: page } })
    expect((await search(alice, forged.id)).body).toMatchObject({
      statuses: [{ uri: forged.id, url: forged.id }],
    })
    expect((await search(alice, page)).body).toMatchObject({
      statuses: [{ uri: said.id, content: '<p>what was said</p>', account: { acct: victim.handle } }],
    })
  })
})

describe('a reblog of a post that may not be quoted', () => {
  it('refuses a quote of such a post through its reblog, local or remote [T-030]', async () => {
    const [alice, bob, peer] = [await given.account(), await given.account(), await knownPeer()]
    const { id } = await given.status({ by: alice, quotePolicy: 'nobody' })
    const reblog = Made.parse((await as(bob).post(`/api/v1/statuses/${id}/reblog`)).body)
    const quoting = await as(bob).post('/api/v1/statuses', { status: 'see', quoted_status_id: reblog.id })
    expect(quoting.status).toBe(404)
    const address = `https://fieldfare.test/users/${bob.username}/statuses/${reblog.id}`
    for (const quoted of [address, `${address}/activity`]) {
      const note = peer.note({ document: { quote: quoted, quoteUri: quoted } })
      const request = peer.activity('QuoteRequest', quoted, { id: `${note.id}/request`, instrument: note })
      expect((await peer.send(request)).status).toBe(202)
    }
    await settleLateWork()
    await runCourierAlarms()
    expect(peer.received().filter(({ type }) => type === 'Accept')).toEqual([])
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ quotes_count: 0 })
  })
})

describe('a follow of a remote account', () => {
  it('a follow of a remote account is pending until it accepts, also where its document says it approves automatically [T-031]', async () => {
    for (const manuallyApprovesFollowers of [true, false, 'no', null]) {
      const [alice, peer] = [
        await given.account(),
        await knownPeer({ document: { manuallyApprovesFollowers } }),
      ]
      await as(alice).post(`/api/v1/accounts/${peer.id}/follow`)
      expect(await relationshipBetween(alice, peer)).toMatchObject({ following: false, requested: true })
    }
  })
})

describe('a file of another server', () => {
  const file = 'https://loop.elsewhere.test/picture.png'
  const proxied = () => fileUrl(context().config, { remote: file }, null)

  it.each([
    ['its own address here', proxied],
    ['another file here', () => 'https://fieldfare.test/media/1.png'],
    ['this server under a signed path', () => 'https://fieldfare.test/media/proxy/x/y'],
    ['a private network', () => 'https://10.0.0.1/picture.png'],
    ['this machine', () => 'http://localhost:8787/picture.png'],
  ])(
    'a remote file that redirects to %s is requested once, and nothing else is [T-032]',
    async (_name, target) => {
      const end = network.fail(file, { redirect: target() })
      const mark = network.mark()
      const { response } = await fetchApp(new Request(proxied()))
      end()
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(network.since(mark).map(({ url }) => url)).toEqual([file])
    },
  )
})

describe('an address or handle with more in it than that', () => {
  it('extra parts of an address or handle request no other host or path [T-033]', async () => {
    const alice = await given.account()
    const host = 'smuggled.elsewhere.test'
    const paths = ['/1', '/@evil.test/', '/.well-known/webfinger', '/.well-known/host-meta']
    const mark = network.mark()
    for (const q of [
      `https://${host}/1\r\nX-Injected: 1`,
      `https://${host}/1 HTTP/1.1\r\nHost: evil.test\r\n\r\nGET /`,
      `https://${host}\\@evil.test/`,
      `https://evil.test:pw@${host}/1`,
      `https://${host}:22/1`,
      `@a@${host}/../admin?x`,
      `@a@${host}?resource=acct:b`,
      `@a@${host}#x`,
      `@a%0d%0aX@${host}`,
      `@a&rel=x@${host}`,
      `@a@${host}\r\nX-Injected: 1`,
      `@a@evil.test@${host}`,
      `@../../x@${host}`,
    ])
      await search(alice, q)
    for (const { url, headers, body } of network.since(mark)) {
      const { host: asked, pathname, searchParams } = new URL(url)
      expect(asked).toBe(host)
      expect(paths).toContain(pathname)
      expect([...searchParams.keys()].filter((key) => key !== 'resource')).toEqual([])
      expect([headers.has('x-injected'), body]).toEqual([false, ''])
    }
  })
})

describe('an anonymous visitor', () => {
  it('an anonymous visitor causes no request to another server, by search or by the pages of handles', async () => {
    const peer = await fediverse.actor()
    const mark = network.mark()
    const headers = { 'cf-connecting-ip': '198.51.100.77' }
    for (const path of [
      `/api/v2/search?resolve=true&q=${peer.uri}`,
      `/api/v2/search?resolve=true&q=@${peer.handle}`,
      `/api/v1/accounts/search?resolve=true&q=${peer.handle}`,
      `/api/v1/accounts/lookup?acct=${peer.handle}`,
      `/@${peer.handle}`,
      `/@${peer.handle}/1`,
      `/authorize_interaction?uri=${peer.uri}`,
      `/api/oembed?url=${peer.uri}`,
      `/.well-known/webfinger?resource=${peer.uri}`,
    ])
      await fetchApp(new Request(`https://fieldfare.test${path}`, { headers }))
    await fetchDocument(`/users/${peer.username}`)
    await settleLateWork()
    expect(network.since(mark)).toEqual([])
  })
})
