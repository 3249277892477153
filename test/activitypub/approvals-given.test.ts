import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { runCourierAlarms } from '../support/courier'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { hangLimit } from '../support/hang-limit'
import { settleLateWork } from '../support/test-app'
import { wireFrom } from '../support/wire-from'

/** Requests of other servers to answer or reblog statuses of ours, as GoToSocial sends them. */

const Made = z.looseObject({ id: z.string() })
const Answer = z.looseObject({ type: z.string(), result: z.string().optional() })

let alice: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  peer = await knownPeer({ software: 'gotosocial' })
})

async function post(fields: Record<string, unknown> = {}) {
  const body = { status: 'look', reply_policy: 'followers', reblog_policy: 'followers', ...fields }
  return Made.parse((await as(alice).post('/api/v1/statuses', body)).body).id
}

function request(kind: 'reply' | 'announce', id: string, by: KnownPeer = peer) {
  const name = kind === 'reply' ? 'gotosocial-0.20-reply-request' : 'gotosocial-0.21-announce-request'
  const renamed = {
    'https://fieldfare.test/users/ada/statuses/9': `https://fieldfare.test/users/${alice.username}/statuses/${id}`,
  }
  return wireFrom(name, { from: by, to: alice, renamed })
}

async function asked(document: Record<string, unknown>) {
  expect((await peer.send(document)).status).toBe(202)
  await settleLateWork()
  await runCourierAlarms()
  return Answer.parse(peer.received().at(-1))
}

const shown = async (id: string) => (await as(alice).get(`/api/v1/statuses/${id}`)).body
const instrument = (document: Record<string, unknown>) =>
  z.looseObject({ id: z.string() }).parse(document['instrument'])

describe.each([
  ['reply', 'ReplyRequest', 'replies_count'],
  ['announce', 'AnnounceRequest', 'reblogs_count'],
] as const)('a request for %s', (kind, type, count) => {
  it('accepts the request of an actor the policy allows, stores it, and serves the consent to everybody', async () => {
    await relation.follow(peer, alice)
    const id = await post()
    const document = request(kind, id)
    const accept = await asked(document)
    const target = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    expect(accept).toMatchObject({
      type: 'Accept',
      to: [peer.uri],
      object: { type, id: document['id'], object: target, instrument: instrument(document).id },
    })
    expect(await shown(id)).toMatchObject({ [count]: 1 })
    const consent = await fetchDocument(accept.result ?? '')
    expect(consent.body).toMatchObject({
      id: accept.result,
      type: kind === 'reply' ? 'ReplyAuthorization' : 'AnnounceAuthorization',
      attributedTo: `https://fieldfare.test/users/${alice.username}`,
      interactingObject: instrument(document).id,
      interactionTarget: target,
    })
  })

  it('answers a repeated request like the first one', async () => {
    await relation.follow(peer, alice)
    const id = await post()
    const first = await asked(request(kind, id))
    const second = await asked({ ...request(kind, id), id: `${peer.uri}/requests/again` })
    expect(second.result).toBe(first.result)
    expect(await shown(id)).toMatchObject({ [count]: 1 })
  })

  it('rejects the request of an actor the policy excludes, and stores nothing', async () => {
    const id = await post()
    expect(await asked(request(kind, id))).toMatchObject({ type: 'Reject', object: { type } })
    expect(await shown(id)).toMatchObject({ [count]: 0 })
  })

  it('ignores a request about another object, or an object of another actor', async () => {
    await relation.follow(peer, alice)
    const [id, other] = [await post(), await post()]
    const victim = await knownPeer()
    const foreign = { ...request(kind, id), instrument: instrument(request(kind, id, victim)) }
    const elsewhere = { ...request(kind, id), instrument: instrument(request(kind, other)) }
    for (const document of [foreign, elsewhere]) await peer.send(document)
    await settleLateWork()
    await runCourierAlarms()
    // A follower gets the posts themselves. The runtime may ring an alarm by itself, whose delivery is then under way.
    const received = () => expect(peer.received().map(({ type }) => type)).toEqual(['Create', 'Create'])
    await vi.waitFor(received, hangLimit)
    expect(await shown(id)).toMatchObject({ [count]: 0 })
  })

  it('answers a request about a status hidden from its actor like one about an unknown status', async () => {
    const id = await post({ visibility: 'private' })
    await peer.send(request(kind, id))
    await settleLateWork()
    await runCourierAlarms()
    expect(peer.received()).toEqual([])
  })
})

it('consent is deleted with the status it was given for', async () => {
  await relation.follow(peer, alice)
  const id = await post()
  const accept = await asked(request('reply', id))
  await as(alice).delete(`/api/v1/statuses/${id}`)
  expect((await fetchDocument(accept.result ?? '')).status).toBe(404)
})
