import { beforeEach, describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { runCourierAlarms } from '../support/courier'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import type { KnownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { settleLateWork } from '../support/test-app'
import { wireFrom } from '../support/wire-from'

/** Quotes whose Create came first and did not name them, as Hollo sends it: `quote` follows the consent. */

let alice: TestAccount
let lin: KnownPeer
let id: string
let quoted: string

beforeEach(async () => {
  alice = await given.account()
  lin = await given.peer({ software: 'fedify' })
  await relation.follow(alice, lin)
  id = (await given.status({ by: alice })).id
  quoted = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
})

const wire = (name: string, from: KnownPeer = lin) =>
  wireFrom(name, {
    from,
    to: alice,
    actor: 'https://hollo.test/@lin',
    renamed: { 'https://fieldfare.test/users/ada/statuses/9': quoted },
  })

async function deliver(name: string, from: KnownPeer = lin) {
  const answer = await from.send(wire(name, from))
  await settleLateWork()
  await runCourierAlarms()
  return answer
}

const shown = async (who: TestAccount = alice) => {
  const { body } = await as(who).get('/api/v1/timelines/home')
  return Array.isArray(body) ? body.find(({ account }) => account.id === String(lin.id)) : null
}

const count = async () => (await as(alice).get(`/api/v1/statuses/${id}`)).body

describe('a QuoteRequest whose Create came first, without the quote', () => {
  it('attaches the quote named by the signed copy, and accepts the request', async () => {
    await deliver('hollo-0.9-create-note-quoting')
    expect(await shown()).toMatchObject({ quote: null })

    const { status, costs } = await deliver('hollo-0.9-quote-request')
    expect(status).toBe(202)
    expect(costs.trips).toBeLessThanOrEqual(3)

    expect(await shown()).toMatchObject({ quote: { state: 'accepted', quoted_status: { id } } })
    expect(await count()).toMatchObject({ quotes_count: 1 })
    const [accept] = lin.received()
    expect(accept).toMatchObject({ type: 'Accept', object: { type: 'QuoteRequest', object: quoted } })
    expect((await fetchDocument(String(accept?.['result']))).body).toMatchObject({
      type: 'QuoteAuthorization',
      interactionTarget: quoted,
    })
    const { body } = await as(alice).get('/api/v1/notifications?types[]=quote')
    expect(body).toMatchObject([{ status: { quote: { quoted_status: { id } } } }])
  })

  it('a repeated QuoteRequest changes nothing but the answer', async () => {
    await deliver('hollo-0.9-create-note-quoting')
    await deliver('hollo-0.9-quote-request')
    await deliver('hollo-0.9-quote-request')
    expect(await count()).toMatchObject({ quotes_count: 1 })
    expect(lin.received().map(({ type }) => type)).toEqual(['Accept', 'Accept'])
  })

  it('a QuoteRequest whose Create came first, without the quote stays accepted when an Update that names the quote follows', async () => {
    for (const name of ['create-note-quoting', 'quote-request', 'update-note-quoting'])
      await deliver(`hollo-0.9-${name}`)
    const status = await shown()
    expect(status).toMatchObject({ quote: { state: 'accepted', quoted_status: { id } } })
    expect(status?.content).not.toContain('RE:')
    expect(await count()).toMatchObject({ quotes_count: 1 })
  })

  it('refuses the request where the policy of the quoted post refuses it, and attaches nothing', async () => {
    id = (await given.status({ by: alice, quotePolicy: 'nobody' })).id
    quoted = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    await deliver('hollo-0.9-create-note-quoting')
    await deliver('hollo-0.9-quote-request')
    expect(lin.received()).toMatchObject([{ type: 'Reject' }])
    expect(await shown()).toMatchObject({ quote: null })
  })

  it('attaches nothing to the post of another account', async () => {
    await deliver('hollo-0.9-create-note-quoting')
    const eve = await given.peer({ host: lin.host })
    const forged = { ...wire('hollo-0.9-quote-request'), actor: eve.uri, id: `${eve.uri}#quote-request` }
    await eve.send(forged)
    expect(await shown()).toMatchObject({ quote: null })
    expect(await count()).toMatchObject({ quotes_count: 0 })
  })

  it('attaches nothing where the signed copy quotes another post', async () => {
    await deliver('hollo-0.9-create-note-quoting')
    const request = wire('hollo-0.9-quote-request')
    const other = await given.status({ by: alice })
    const address = `https://fieldfare.test/users/${alice.username}/statuses/${other.id}`
    await lin.send({ ...request, object: address })
    await settleLateWork()
    await runCourierAlarms()
    expect(await shown()).toMatchObject({ quote: null })
    expect(lin.received()).toEqual([])
  })

  it('fetches the post again where the request only names its address', async () => {
    const { ctx, work } = fakeQueue()
    await deliver('hollo-0.9-create-note-quoting')
    const request = wire('hollo-0.9-quote-request')
    const instrument = request['instrument']
    if (typeof instrument !== 'object' || instrument === null || !('id' in instrument))
      throw new Error('no copy')
    const address = String(instrument.id)
    fediverse.network.serve(address, { '@context': request['@context'], ...instrument })
    await lin.send({ ...request, instrument: address }, { overrides: { jobs: ctx.jobs } })
    expect(await work()).toContain('done')
    await settleLateWork()
    await runCourierAlarms()
    expect(await shown()).toMatchObject({ quote: { state: 'accepted', quoted_status: { id } } })
    expect(lin.received()).toMatchObject([{ type: 'Accept' }])
  })
})

describe('an Update that adds a quote of a remote post', () => {
  it('accepts the added quote, and verifies it where it names consent', async () => {
    const { ctx, work } = fakeQueue()
    const rosa = await given.peer()
    const target = rosa.note()
    await relation.follow(alice, rosa)
    await rosa.send(rosa.create(target))
    const note = lin.note({ served: false })
    await lin.send(lin.create(note))
    const consent = `${rosa.uri}/quote_authorizations/1`
    fediverse.network.serve(consent, {
      id: consent,
      type: 'QuoteAuthorization',
      attributedTo: rosa.uri,
      interactingObject: note.id,
      interactionTarget: target.id,
    })
    const quoting = { ...note, quote: target.id, quoteAuthorization: consent }
    await lin.send(lin.update(quoting), { overrides: { jobs: ctx.jobs } })
    await settleLateWork()
    await work()
    expect(await shown()).toMatchObject({ quote: { state: 'accepted', quoted_status: { uri: target.id } } })
  })

  it('does not restore a revoked quote', async () => {
    for (const name of ['create-note-quoting', 'quote-request']) await deliver(`hollo-0.9-${name}`)
    const { id: quoting } = (await shown()) ?? {}
    await as(alice).post(`/api/v1/statuses/${id}/quotes/${quoting}/revoke`)
    await deliver('hollo-0.9-update-note-quoting')
    expect(await shown()).toMatchObject({ quote: { state: 'revoked' } })
  })
})
