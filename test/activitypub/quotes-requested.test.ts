import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'

/** Quotes of ours, of what is on other servers (FEP-044f). */

const Made = z.looseObject({ id: z.string() })
const policy = (...automaticApproval: readonly string[]) => ({
  interactionPolicy: { canQuote: { automaticApproval } },
})
const everybody = 'https://www.w3.org/ns/activitystreams#Public'

let alice: TestAccount
let peer: KnownPeer
let follower: KnownPeer
let quoted: string
let quotedId: string

beforeEach(async () => {
  alice = await given.account()
  peer = await knownPeer()
  follower = await knownPeer()
  await relation.follow(follower, alice)
  await relation.follow(alice, peer)
  const note = peer.note({ document: policy(everybody) })
  await peer.send(peer.create(note))
  quoted = note.id
  const [newest] = z.array(Made).parse((await as(alice).get('/api/v1/timelines/home')).body)
  quotedId = newest?.id ?? ''
})

async function quote(fields: Record<string, unknown> = {}) {
  const body = { status: 'so true', quoted_status_id: quotedId, ...fields }
  const made = Made.parse((await as(alice).post('/api/v1/statuses', body)).body)
  await sentByCouriers()
  return { id: made.id, uri: `https://fieldfare.test/users/${alice.username}/statuses/${made.id}` }
}

const request = () => peer.received().find(({ type }) => type === 'QuoteRequest')
const state = async (id: string) => (await as(alice).get(`/api/v1/statuses/${id}`)).body
const consent = () => `${peer.uri}/quote_authorizations/1`

describe('a quote by a local account', () => {
  it('sends the whole post to the quoted author, and hides the quote from all others (pitfall 59) [T-118]', async () => {
    const { uri } = await quote()
    expect(request()).toMatchObject({
      type: 'QuoteRequest',
      object: quoted,
      to: [peer.uri],
      actor: `https://fieldfare.test/users/${alice.username}`,
      instrument: { id: uri, type: 'Note', quote: quoted, content: '<p>so true</p>' },
    })
    expect(follower.received()).toMatchObject([{ type: 'Create', object: { id: uri, quote: quoted } }])
    expect(follower.received()[0]).not.toHaveProperty('object.quoteUri')
  })

  it('accepts the quote when its author accepts, and serves the consent in every dialect', async () => {
    const { id, uri } = await quote()
    await peer.send(peer.accept(request(), { result: consent() }))
    await sentByCouriers()
    expect(await state(id)).toMatchObject({
      quote: { state: 'accepted', quoted_status: { id: quotedId, quotes_count: 1 } },
    })
    const note = {
      id: uri,
      quote: quoted,
      quoteUri: quoted,
      _misskey_quote: quoted,
      quoteAuthorization: consent(),
      content: expect.stringMatching(/^<p class="quote-inline">RE: <a href=/),
    }
    expect(follower.received().at(-1)).toMatchObject({ type: 'Update', object: note })
    expect((await fetchDocument(uri)).body).toMatchObject(note)
  })

  it('accepts a quote by the id of the request alone, or by a copy with another id', async () => {
    for (const answered of ['id', 'copy']) {
      const { id, uri } = await quote()
      const asked = peer.received().findLast(({ type }) => type === 'QuoteRequest')
      const copy = { type: 'QuoteRequest', id: `${peer.uri}#other`, object: quoted, instrument: uri }
      const object = answered === 'id' ? asked?.id : copy
      await peer.send(peer.accept(object, { result: consent() }))
      expect(await state(id)).toMatchObject({ quote: { state: 'accepted' } })
    }
  })

  it('rejects the quote when its author refuses, without an activity', async () => {
    const { id, uri } = await quote()
    await peer.send(peer.reject(request()))
    await sentByCouriers()
    expect(await state(id)).toMatchObject({ quote: { state: 'rejected', quoted_status: null } })
    expect((await fetchDocument(uri)).body).not.toHaveProperty('quote')
  })

  it('revokes the quote when its author revokes consent', async () => {
    const { id, uri } = await quote()
    await peer.send(peer.accept(request(), { result: consent() }))
    await peer.send(peer.activity('Delete', consent(), { id: `${consent()}#delete` }))
    await sentByCouriers()
    expect(await state(id)).toMatchObject({ quote: { state: 'revoked', quoted_status: null } })
    expect(await state(quotedId)).toMatchObject({ quotes_count: 0 })
    expect((await fetchDocument(uri)).body).not.toHaveProperty('quoteAuthorization')
    expect(follower.received().at(-1)).toMatchObject({ type: 'Update', object: { id: uri } })
  })

  it('ignores answers of other actors, and consent on another server', async () => {
    const { id } = await quote()
    const asked = request()
    const stranger = await fediverse.actor()
    await stranger.send(stranger.accept(asked, { result: `${stranger.uri}/quote_authorizations/1` }))
    await stranger.send(stranger.reject(asked))
    await peer.send(peer.accept(asked, { result: `${stranger.uri}/quote_authorizations/1` }))
    await peer.send(peer.accept(asked))
    expect(await state(id)).toMatchObject({ quote: { state: 'pending' } })
  })

  it('refuses a quote locally where the policy of the quoted post refuses it', async () => {
    const closed = peer.note({ document: policy(peer.uri) })
    const silent = peer.note()
    const followers = peer.note({ document: policy(peer.followers) })
    const answers: number[] = []
    for (const note of [closed, silent, followers]) {
      await peer.send(peer.create(note))
      const [newest] = z.array(Made).parse((await as(alice).get('/api/v1/timelines/home')).body)
      const body = { status: 'x', quoted_status_id: newest?.id }
      answers.push((await as(alice).post('/api/v1/statuses', body)).status)
    }
    expect(answers).toEqual([404, 404, 200])
  })
})
