import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { wireFrom } from '../support/wire-from'

/** Answers and reblogs of ours whose other author wants to be asked first (GoToSocial's `manualApproval`). */

const Made = z.looseObject({ id: z.string(), reblog: z.looseObject({ id: z.string() }).nullish() })
const Timeline = z.array(z.looseObject({ uri: z.string() }))
const everybody = 'https://www.w3.org/ns/activitystreams#Public'

let alice: TestAccount
let carol: TestAccount
let peer: KnownPeer
let follower: KnownPeer
let post: { readonly id: string; readonly uri: string }

beforeEach(async () => {
  alice = await given.account()
  carol = await given.account()
  peer = await knownPeer({ software: 'gotosocial' })
  follower = await knownPeer()
  await relation.follow(follower, alice)
  await relation.follow(carol, alice)
  await relation.follow(alice, peer)
  post = await received({ automaticApproval: [peer.uri], manualApproval: [everybody] })
})

async function received(rule: Record<string, unknown>) {
  const interactionPolicy = { canReply: rule, canAnnounce: rule }
  const note = peer.note({ document: { interactionPolicy } })
  await peer.send(peer.create(note))
  const home = z.array(Made).parse((await as(alice).get('/api/v1/timelines/home')).body)
  return { id: home[0]?.id ?? '', uri: note.id }
}

async function reply(fields: Record<string, unknown> = {}) {
  const body = { status: 'may I?', in_reply_to_id: post.id, ...fields }
  const { id } = Made.parse((await as(alice).post('/api/v1/statuses', body)).body)
  await sentByCouriers()
  return { id, uri: `https://fieldfare.test/users/${alice.username}/statuses/${id}` }
}

async function reblog() {
  const { id } = Made.parse((await as(alice).post(`/api/v1/statuses/${post.id}/reblog`)).body)
  await sentByCouriers()
  return { id, uri: `https://fieldfare.test/users/${alice.username}/statuses/${id}` }
}

/** An answer of GoToSocial to what Alice sent about `uri`. */
function wired(name: string, uri: string) {
  const actor = `https://fieldfare.test/users/${alice.username}`
  const renamed = {
    'https://fieldfare.test/users/ada#requests/42': `${actor}#requests/${uri.split('/').at(-1)}`,
    'https://fieldfare.test/users/ada/statuses/42': uri,
    'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001': post.uri,
  }
  return wireFrom(`gotosocial-0.21-${name}`, { from: peer, to: alice, renamed })
}

async function answered(name: string, uri: string, by: KnownPeer = peer) {
  const answer = { ...wired(name, uri), ...(by === peer ? {} : { actor: by.uri }) }
  expect((await by.send(answer)).status).toBe(202)
  await sentByCouriers()
}

const shown = async (id: string, by: TestAccount = alice) => (await as(by).get(`/api/v1/statuses/${id}`)).body
const homeOf = async (by: TestAccount) =>
  Timeline.parse((await as(by).get('/api/v1/timelines/home')).body).map(({ uri }) => uri)
const original = async () => shown(post.id)

describe('a remote reply that needs approval', () => {
  it('sends the request to the replied-to author alone, with the reply as its instrument', async () => {
    const { uri } = await reply({ status: `may I, @${carol.username}?` })
    expect(peer.received()).toMatchObject([
      {
        type: 'ReplyRequest',
        to: [peer.uri],
        object: post.uri,
        instrument: { id: uri, type: 'Note', inReplyTo: post.uri, to: [everybody] },
      },
    ])
    expect(follower.received()).toEqual([])
  })

  it('shows a pending reply to its author alone', async () => {
    const { id, uri } = await reply({ status: `may I, @${carol.username}?` })
    expect(await shown(id)).toMatchObject({ approval: 'pending', visibility: 'public' })
    expect((await as(carol).get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect((await fetchDocument(uri)).status).toBe(404)
    expect(await homeOf(carol)).not.toContain(uri)
    expect((await as(carol).get('/api/v1/notifications')).body).toEqual([])
    expect(await original()).toMatchObject({ replies_count: 0 })
    const thread = await as(carol).get(`/api/v1/statuses/${post.id}/context`)
    expect(thread.body).toMatchObject({ descendants: [] })
  })

  it('publishes the reply once the replied-to author accepts, with their consent on the note', async () => {
    const { id, uri } = await reply({ status: `may I, @${carol.username}?` })
    await answered('accept-reply-request', uri)
    const consent = `${peer.uri}/authorizations/01KFG7`
    const note = { id: uri, replyAuthorization: consent, approvedBy: consent, to: [everybody] }
    expect(follower.received()).toMatchObject([{ type: 'Create', object: note }])
    expect((await fetchDocument(uri)).body).toMatchObject(note)
    expect(await shown(id)).not.toHaveProperty('approval')
    expect(await shown(id, carol)).toMatchObject({ visibility: 'public' })
    expect(await original()).toMatchObject({ replies_count: 1 })
    const notified = (await as(carol).get('/api/v1/notifications')).body
    expect(notified).toMatchObject([{ type: 'mention', status: { id } }])
  })

  it('publishes the reply once, however often it is accepted', async () => {
    const { uri } = await reply()
    for (const name of ['accept-reply-request', 'accept-reply-request', 'accept-reply'])
      await answered(name, uri)
    expect(follower.received().filter(({ type }) => type === 'Create')).toHaveLength(1)
    expect(await original()).toMatchObject({ replies_count: 1 })
  })

  it('accepts an Accept that names only the id of the reply, as servers send it unrequested', async () => {
    const { id, uri } = await reply()
    await answered('accept-reply', uri)
    expect(await shown(id)).not.toHaveProperty('approval')
    expect(follower.received()).toMatchObject([{ type: 'Create' }])
  })

  it('keeps a rejected reply visible to its author alone', async () => {
    const { id, uri } = await reply()
    await answered('reject-reply-request', uri)
    expect(await shown(id)).toMatchObject({ approval: 'rejected' })
    expect((await as(carol).get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect(follower.received()).toEqual([])
  })

  it('does not publish a reply on the Accept of another actor', async () => {
    const { id, uri } = await reply()
    const mallory = await knownPeer()
    await answered('accept-reply-request', uri, mallory)
    expect(await shown(id)).toMatchObject({ approval: 'pending' })
    expect(follower.received()).toEqual([])
  })

  it('removes revoked consent from a reply and sends its readers an Update', async () => {
    const { id, uri } = await reply()
    await answered('accept-reply-request', uri)
    await answered('reject-reply-request', uri)
    expect(await shown(id)).toMatchObject({ approval: 'rejected' })
    const latest = follower.received().at(-1)
    expect(latest).toMatchObject({ type: 'Update', object: { id: uri } })
    expect(latest).not.toHaveProperty('object.replyAuthorization')
  })

  it('refuses replies to and edits of a pending reply, and sends its Delete to the other server too', async () => {
    const { id, uri } = await reply()
    const again = { status: 'and another', in_reply_to_id: id }
    expect((await as(alice).post('/api/v1/statuses', again)).status).toBe(403)
    expect((await as(alice).put(`/api/v1/statuses/${id}`, { status: 'else' })).status).toBe(422)
    expect((await as(alice).delete(`/api/v1/statuses/${id}`)).status).toBe(200)
    await sentByCouriers()
    expect(peer.received().at(-1)).toMatchObject({ type: 'Delete', object: { id: uri } })
    expect(follower.received()).toEqual([])
  })

  it('refuses a reply where the author allows no requests, and a reply that is local-only', async () => {
    expect((await as(alice).post('/api/v1/statuses', local())).status).toBe(403)
    const closed = await received({ automaticApproval: [peer.uri], manualApproval: [] })
    const body = { status: 'no?', in_reply_to_id: closed.id }
    expect((await as(alice).post('/api/v1/statuses', body)).status).toBe(403)
  })
})

const local = () => ({ status: 'here only', in_reply_to_id: post.id, local_only: true })

describe('a remote reply that needs no approval', () => {
  it('serves the consent that the replied-to author sends unasked', async () => {
    post = await received({ automaticApproval: [everybody] })
    const { id, uri } = await reply()
    expect(follower.received()).toMatchObject([{ type: 'Create' }])
    await answered('accept-reply', uri)
    expect(follower.received().at(-1)).toMatchObject({
      type: 'Update',
      object: { id: uri, replyAuthorization: `${peer.uri}/authorizations/01KFG9` },
    })
    expect(await shown(id)).not.toHaveProperty('approval')
    await answered('accept-reply', uri)
    expect(follower.received()).toHaveLength(2)
  })
})

describe('an Accept of GoToSocial 0.20, which names no authorization', () => {
  const accept = (uri: string, more: object = {}) => {
    const renamed = {
      'https://fieldfare.test/users/ada/statuses/42': uri,
      'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001': post.uri,
    }
    return { ...wireFrom('gotosocial-0.20-accept-reply', { from: peer, to: alice, renamed }), ...more }
  }
  const proof = () => `${peer.uri}/accepts/01JBF9`
  const latestNote = () => z.looseObject({}).parse(follower.received().at(-1)?.['object'])

  it('stores an Accept without authorization as proof of a reply that needed no request', async () => {
    post = await received({ automaticApproval: [everybody] })
    const { uri } = await reply()
    await peer.send(accept(uri))
    await sentByCouriers()
    expect(follower.received().at(-1)).toMatchObject({
      type: 'Update',
      object: { id: uri, approvedBy: proof() },
    })
    expect(latestNote()).not.toHaveProperty('replyAuthorization')
    const again = await peer.send(accept(uri, { id: `${peer.uri}/accepts/again` }))
    expect(again.costs.rowsWritten).toBe(0)
  })

  it('replaces the Accept by a later authorization, and never the other way round', async () => {
    post = await received({ automaticApproval: [everybody] })
    const { uri } = await reply()
    const result = `${peer.uri}/authorizations/01JBF9`
    for (const more of [{}, { id: `${peer.uri}/accepts/later`, result }, {}]) {
      await peer.send(accept(uri, more))
      await sentByCouriers()
    }
    expect(latestNote()).toMatchObject({ approvedBy: result, replyAuthorization: result })
  })

  it('ignores an Accept that names an authorization of another server', async () => {
    post = await received({ automaticApproval: [everybody] })
    const { uri } = await reply()
    await peer.send(accept(uri, { result: `${follower.uri}/authorizations/1` }))
    await sentByCouriers()
    expect(follower.received().map(({ type }) => type)).toEqual(['Create'])
  })

  it('publishes a pending reply and a pending reblog', async () => {
    const answer = await reply()
    await peer.send(accept(answer.uri))
    await sentByCouriers()
    expect(follower.received().at(-1)).toMatchObject({ type: 'Create', object: { approvedBy: proof() } })
    const { uri } = await reblog()
    await peer.send(accept(`${uri}/activity`))
    await sentByCouriers()
    const announced = follower.received().at(-1)
    expect(announced).toMatchObject({ type: 'Announce', approvedBy: proof() })
    expect(announced).not.toHaveProperty('announceAuthorization')
  })
})

describe('a remote reblog that needs approval', () => {
  it('requests approval of a reblog, and announces it once the author accepts', async () => {
    const { uri } = await reblog()
    expect(peer.received()).toMatchObject([
      {
        type: 'AnnounceRequest',
        object: post.uri,
        instrument: { id: `${uri}/activity`, type: 'Announce', object: post.uri, to: [everybody] },
      },
    ])
    expect(follower.received()).toEqual([])
    expect(await homeOf(carol)).not.toContain(`${uri}/activity`)
    expect(await original()).toMatchObject({ reblogged: true, reblogs_count: 0 })

    await answered('accept-announce-request', uri)
    const consent = `${peer.uri}/authorizations/01KFG7`
    expect(follower.received()).toMatchObject([{ type: 'Announce', announceAuthorization: consent }])
    expect(await homeOf(carol)).toContain(`${uri}/activity`)
    expect(await original()).toMatchObject({ reblogs_count: 1 })
  })

  it('undoes a rejected reblog, and only its author receives the Undo', async () => {
    const { uri } = await reblog()
    await answered('reject-announce-request', uri)
    expect(await original()).toMatchObject({ reblogged: false, reblogs_count: 0 })
    expect(follower.received()).toEqual([])
  })

  it('sends the withdrawal of a pending reblog to the author alone', async () => {
    await reblog()
    await as(alice).post(`/api/v1/statuses/${post.id}/unreblog`)
    await sentByCouriers()
    expect(peer.received().at(-1)).toMatchObject({ type: 'Undo', object: { type: 'Announce' } })
    expect(follower.received()).toEqual([])
    expect(await original()).toMatchObject({ reblogged: false, reblogs_count: 0 })
  })
})
