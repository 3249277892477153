import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { clock } from '../support/test-app'

/** Quotes by people of other servers. */

const List = z.array(
  z.looseObject({ id: z.string(), uri: z.string(), quote: z.unknown(), content: z.string() }),
)

let alice: TestAccount
let peer: KnownPeer
let id: string
let address: string

beforeEach(async () => {
  alice = await given.account()
  peer = await knownPeer()
  await relation.follow(alice, peer)
  await about({})
})

async function about(options: Omit<Parameters<typeof given.status>[0], 'by'>) {
  id = (await given.status({ by: alice, ...options })).id
  address = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
}

const noteQuoting = (quoted: string, more: Record<string, unknown> = {}) =>
  peer.note({ document: { quote: quoted, quoteUri: quoted, ...more } })

const requestFor = (note: { readonly id: string }, instrument: unknown = note) =>
  peer.activity('QuoteRequest', address, { id: `${peer.uri}/quote_requests/1`, instrument })

async function newest(who = alice) {
  return List.parse((await as(who).get('/api/v1/timelines/home')).body)[0]
}

const quoted = async () => (await as(alice).get(`/api/v1/statuses/${id}`)).body

describe('a QuoteRequest', () => {
  it('accepts a QuoteRequest by policy, with consent that is served in one round trip (pitfall 59) [T-115]', async () => {
    const note = noteQuoting(address)
    expect((await peer.send(requestFor(note))).status).toBe(202)
    await sentByCouriers()
    const [accept] = peer.received()
    expect(accept).toMatchObject({
      type: 'Accept',
      actor: `https://fieldfare.test/users/${alice.username}`,
      to: [peer.uri],
      object: {
        id: `${peer.uri}/quote_requests/1`,
        type: 'QuoteRequest',
        object: address,
        instrument: note.id,
      },
    })
    const { body, costs } = await fetchDocument(String(accept?.['result']))
    expect(body).toMatchObject({
      id: accept?.['result'],
      type: 'QuoteAuthorization',
      attributedTo: `https://fieldfare.test/users/${alice.username}`,
      interactingObject: note.id,
      interactionTarget: address,
    })
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(await quoted()).toMatchObject({ quotes_count: 1 })
    const notified = (await as(alice).get('/api/v1/notifications?types[]=quote')).body
    expect(notified).toMatchObject([
      { type: 'quote', status: { uri: note.id, quote: { quoted_status: { id } } } },
    ])
  })

  it('serves consent to a non-public quote to its own server only', async () => {
    const note = noteQuoting(address, { to: [peer.at.followers], cc: [] })
    await peer.send(requestFor(note))
    await sentByCouriers()
    const consent = new URL(String(peer.received()[0]?.['result'])).pathname
    const stranger = await knownPeer()
    expect((await fetchDocument(`https://fieldfare.test${consent}`)).status).toBe(404)
    expect((await stranger.get(consent)).status).toBe(404)
    expect((await peer.get(consent)).status).toBe(200)
  })

  it('answers a repeated QuoteRequest alike, and stores the post that arrived before it', async () => {
    const note = noteQuoting(address)
    await peer.send(peer.create(note))
    expect((await newest())?.quote).toEqual({ state: 'pending', quoted_status: null })
    for (let times = 0; times < 2; times += 1) await peer.send(requestFor(note))
    await sentByCouriers()
    const accepts = peer.received().map(({ type, result }) => [type, result])
    expect(accepts).toEqual([accepts[0], accepts[0]])
    expect(accepts[0]?.[0]).toBe('Accept')
    expect(await quoted()).toMatchObject({ quotes_count: 1 })
    expect((await newest())?.quote).toMatchObject({ state: 'accepted' })
  })

  it('queues a job that fetches a post named only by address, and answers then', async () => {
    const note = noteQuoting(address)
    const { ctx, work, jobs } = fakeQueue()
    await peer.send(requestFor(note, note.id), { overrides: { jobs: ctx.jobs } })
    expect(jobs).toMatchObject([{ kind: 'answer-quote-request' }])
    expect(await work()).toEqual(['done'])
    await sentByCouriers()
    expect(peer.received()).toMatchObject([{ type: 'Accept', object: { instrument: note.id } }])
  })

  it.each([
    ['nobody', 'Reject'],
    ['followers', 'Reject'],
    ['public', 'Accept'],
  ] as const)('answers by the policy %s with %s', async (quotePolicy, type) => {
    await about({ quotePolicy })
    await peer.send(requestFor(noteQuoting(address)))
    await sentByCouriers()
    expect(peer.received().map((one) => one.type)).toEqual([type])
  })

  it('accepts the QuoteRequest of a follower where followers may quote', async () => {
    await about({ quotePolicy: 'followers' })
    await relation.follow(peer, alice)
    await peer.send(requestFor(noteQuoting(address)))
    await sentByCouriers()
    expect(peer.received()).toContainEqual(expect.objectContaining({ type: 'Accept' }))
  })

  it('ignores a QuoteRequest where its actor, its target or its post does not match', async () => {
    const other = await knownPeer()
    const foreign = other.note({ document: { quote: address } })
    await peer.send(requestFor(foreign))
    const elsewhere = noteQuoting(other.note().id)
    await peer.send(requestFor(elsewhere))
    await relation.block(alice, peer)
    await peer.send(requestFor(noteQuoting(address)))
    await sentByCouriers()
    expect(peer.received()).toEqual([])
    expect(await quoted()).toMatchObject({ quotes_count: 0 })
  })

  it('a Delete revokes given consent, and later requests stay refused', async () => {
    const note = noteQuoting(address)
    await peer.send(requestFor(note))
    await sentByCouriers()
    const consent = String(peer.received()[0]?.['result'])
    const quoting = consent.split('/').at(-1)
    await as(alice).post(`/api/v1/statuses/${id}/quotes/${quoting}/revoke`)
    await sentByCouriers()
    expect(peer.received().at(-1)).toMatchObject({ type: 'Delete', object: consent })
    expect((await fetchDocument(consent)).status).toBe(404)
    await peer.send(requestFor(note))
    await sentByCouriers()
    expect(peer.received().map(({ type }) => type)).toEqual(['Accept', 'Delete', 'Reject'])
  })
})

describe('a quote by a remote account', () => {
  it('accepts a quote of the author’s own post', async () => {
    const own = peer.note()
    await peer.send(peer.create(own))
    await peer.send(peer.create(noteQuoting(own.id)))
    expect((await newest())?.quote).toMatchObject({ state: 'accepted', quoted_status: { uri: own.id } })
  })

  it('a quote of a local post without consent counts where the policy allows it, and is dropped otherwise', async () => {
    const content = '<p class="quote-inline">RE: a link</p><p>so true</p>'
    const legacy = () => peer.note({ content, document: { quoteUrl: address, _misskey_quote: address } })
    await peer.send(peer.create(legacy()))
    expect((await newest())?.quote).toMatchObject({ state: 'accepted', quoted_status: { id } })
    await about({ quotePolicy: 'nobody' })
    const refused = legacy()
    await peer.send(peer.create(refused))
    expect(await newest()).toMatchObject({ uri: refused.id, quote: null, content })
  })

  it('accepts a quote of a third server once the consent it names was fetched there', async () => {
    const third = await fediverse.actor()
    const original = third.note()
    const consent = `${third.uri}/quote_authorizations/1`
    const note = noteQuoting(original.id, { quoteAuthorization: consent })
    fediverse.network.serve(consent, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: consent,
      type: 'QuoteAuthorization',
      attributedTo: third.uri,
      interactingObject: note.id,
      interactionTarget: original.id,
    })
    const { ctx, work } = fakeQueue()
    await peer.send(peer.create(note), { overrides: { jobs: ctx.jobs } })
    expect((await newest())?.quote).toMatchObject({ state: 'pending' })
    await work()
    expect((await newest())?.quote).toMatchObject({ state: 'accepted', quoted_status: { uri: original.id } })
    await third.send(third.activity('Delete', consent, { id: `${consent}#delete` }))
    expect((await newest())?.quote).toMatchObject({ state: 'revoked' })
  })

  it('revokes a quote also where other posts claimed the same consent before [T-116]', async () => {
    const third = await fediverse.actor()
    const [original, other] = [third.note(), third.note()]
    const consent = `${third.uri}/quote_authorizations/2`
    const forgeries = [address, other.id, original.id].map((uri) =>
      noteQuoting(uri, { quoteAuthorization: consent }),
    )
    const note = noteQuoting(original.id, { quoteAuthorization: consent })
    fediverse.network.serve(consent, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: consent,
      type: 'QuoteAuthorization',
      attributedTo: third.uri,
      interactingObject: note.id,
      interactionTarget: original.id,
    })
    const { ctx, work } = fakeQueue()
    for (const one of [...forgeries, note]) {
      await peer.send(peer.create(one), { overrides: { jobs: ctx.jobs } })
      clock.advance(1_000)
    }
    await work()
    expect(await newest()).toMatchObject({ uri: note.id, quote: { state: 'accepted' } })
    await third.send(third.activity('Delete', consent, { id: `${consent}#delete` }))
    expect(await newest()).toMatchObject({ uri: note.id, quote: { state: 'revoked' } })
  })

  it.each(['of another post', 'of another quote', 'of another author', 'on another server', 'that is gone'])(
    'keeps a quote pending with consent %s [T-117]',
    async (flaw) => {
      const third = await fediverse.actor()
      const original = third.note()
      const at = flaw === 'on another server' ? peer.uri : third.uri
      const consent = `${at}/quote_authorizations/1`
      const note = noteQuoting(original.id, { quoteAuthorization: consent })
      if (flaw === 'that is gone') fediverse.network.gone(consent)
      else
        fediverse.network.serve(consent, {
          '@context': 'https://www.w3.org/ns/activitystreams',
          id: consent,
          type: 'QuoteAuthorization',
          attributedTo: flaw === 'of another author' ? peer.uri : third.uri,
          interactingObject: flaw === 'of another quote' ? `${note.id}9` : note.id,
          interactionTarget: flaw === 'of another post' ? `${original.id}9` : original.id,
        })
      const { ctx, work } = fakeQueue()
      await peer.send(peer.create(note), { overrides: { jobs: ctx.jobs } })
      await work()
      expect((await newest())?.quote).toMatchObject({ state: 'pending' })
    },
  )

  it('accepts a pending quote when an Update carries approval', async () => {
    const third = await fediverse.actor()
    const original = third.note()
    const consent = `${third.uri}/quote_authorizations/1`
    const note = noteQuoting(original.id)
    const { ctx, work } = fakeQueue()
    await peer.send(peer.create(note), { overrides: { jobs: ctx.jobs } })
    fediverse.network.serve(consent, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: consent,
      type: 'QuoteAuthorization',
      attributedTo: third.uri,
      interactingObject: note.id,
      interactionTarget: original.id,
    })
    const update = peer.update({ ...note, quoteAuthorization: consent })
    await peer.send(update, { overrides: { jobs: ctx.jobs } })
    await work()
    expect((await newest())?.quote).toMatchObject({ state: 'accepted' })
  })
})

describe('reply and reblog policies of local posts', () => {
  it('reply and reblog policies of local posts refuse replies and reblogs of others, and accept those of allowed accounts', async () => {
    await about({ replyPolicy: 'followers', reblogPolicy: 'followers' })
    const figures = async () => quoted()
    await peer.send(peer.create(peer.note({ inReplyTo: address })))
    await peer.send(peer.announce(address))
    expect(await figures()).toMatchObject({ replies_count: 0, reblogs_count: 0 })
    await relation.follow(peer, alice)
    await peer.send(peer.create(peer.note({ inReplyTo: address })))
    await peer.send(peer.announce(address))
    expect(await figures()).toMatchObject({ replies_count: 1, reblogs_count: 1 })
  })
})
