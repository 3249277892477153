import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { accounts, favouriteRequests, favourites } from '../../src/db/schema'
import { purgeAccountData } from '../../src/domain/cleanup/purge-account'
import { as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { hangLimit } from '../support/hang-limit'
import { clock, context } from '../support/test-app'
import { wireFrom } from '../support/wire-from'

/** Favourites by the interaction policies of GoToSocial (`canLike`), whose authors may forbid or approve them. */

const Home = z.array(z.looseObject({ id: z.string() }))
const everybody = 'https://www.w3.org/ns/activitystreams#Public'

let alice: TestAccount
let carol: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  carol = await given.account()
  peer = await knownPeer({ software: 'gotosocial' })
  await relation.follow(alice, peer)
})

/** A post of the peer whom Alice follows. */
async function received(canLike: unknown, mentions: readonly { readonly uri: string }[] = []) {
  const tag = mentions.map(({ uri }) => ({ type: 'Mention', href: uri, name: '@somebody' }))
  const note = peer.note({ document: { interactionPolicy: { canLike }, tag } })
  await peer.send(peer.create(note))
  const [first] = Home.parse((await as(alice).get('/api/v1/timelines/home')).body)
  return { id: first?.id ?? '', uri: note.id }
}

/** Latest of `count` deliveries. The runtime may ring an alarm by itself, whose delivery is then under way. */
async function arrived(count: number) {
  await vi.waitFor(() => expect(peer.received()).toHaveLength(count), hangLimit)
  return peer.received().at(-1)
}

async function like(post: { readonly id: string }, by: TestAccount = alice) {
  const { status, body } = await as(by).post(`/api/v1/statuses/${post.id}/favourite`)
  await sentByCouriers()
  return { status, body }
}

const shown = async ({ id }: { readonly id: string }, by: TestAccount = alice) =>
  (await as(by).get(`/api/v1/statuses/${id}`)).body
const actor = () => `https://fieldfare.test/users/${alice.username}`
const isNotLiked = { favourited: false, favourites_count: 0 }

describe('a favourite that the author does not allow', () => {
  it.each([
    ['nobody', () => ({ automaticApproval: peer.uri })],
    ['nobody, in the older form', () => ({ always: [peer.uri], approvalRequired: [] })],
    ['whom a server approves that takes no requests', () => ({ approvalRequired: everybody })],
    ['somebody else', () => ({ automaticApproval: ['https://elsewhere.test/users/bo'] })],
  ])('refuses the favourite where the post lets %s favourite it', async (_who, canLike) => {
    const post = await received(canLike())
    expect(await like(post)).toEqual({
      status: 403,
      body: { error: 'The author does not allow you to favourite this post' },
    })
    expect(peer.received()).toEqual([])
    expect(await shown(post)).toMatchObject(isNotLiked)
  })

  it('refuses the favourite of mentioned accounts as well, unlike their replies', async () => {
    const post = await received({ automaticApproval: [peer.uri] }, [{ uri: actor() }])
    expect((await like(post)).status).toBe(403)
  })

  it('allows the favourite only to followers where followers are listed', async () => {
    const post = await received({ automaticApproval: [`${peer.uri}/followers`] })
    expect((await like(post, carol)).status).toBe(403)
    expect((await like(post)).status).toBe(200)
    expect(await arrived(1)).toMatchObject({ type: 'Like', object: post.uri })
  })

  it('refuses emoji reactions too, also those that need approval', async () => {
    for (const rule of [{ automaticApproval: peer.uri }, { manualApproval: everybody }]) {
      const post = await received(rule)
      const answer = await as(alice).put(`/api/v1/pleroma/statuses/${post.id}/reactions/🐦`)
      expect(answer.status).toBe(403)
      expect(await shown(post)).toMatchObject(isNotLiked)
    }
    await sentByCouriers()
    expect(peer.received()).toEqual([])
  })

  it.each([undefined, null, {}, { automaticApproval: [everybody] }, 'nobody'])(
    'does not restrict favourites where the policy is %j',
    async (canLike) => {
      expect((await like(await received(canLike))).status).toBe(200)
    },
  )
})

describe('a favourite that needs approval', () => {
  let post: { readonly id: string; readonly uri: string }
  beforeEach(async () => {
    post = await received({ automaticApproval: [peer.uri], manualApproval: [everybody] })
  })

  /** Alice favourites the post; the id of the favourite in what is sent. */
  async function requested(): Promise<string> {
    expect((await like(post)).status).toBe(200)
    return (
      String((await arrived(1))?.id)
        .split('/')
        .at(-1) ?? ''
    )
  }

  const requests = () =>
    context().db.select().from(favouriteRequests).where(eq(favouriteRequests.accountId, alice.id))

  async function answered(name: string, id: string, by: KnownPeer = peer) {
    const renamed = {
      'https://fieldfare.test/users/ada#likerequests/41': `${actor()}#likerequests/${id}`,
      'https://fieldfare.test/users/ada#likes/41': `${actor()}#likes/${id}`,
      'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001': post.uri,
    }
    expect((await by.send(wireFrom(`gotosocial-${name}`, { from: by, to: alice, renamed }))).status).toBe(202)
    await sentByCouriers()
  }

  it('sends the request to the author alone, with the Like as its instrument', async () => {
    const id = await requested()
    expect(peer.received()).toEqual([
      {
        '@context': [
          'https://www.w3.org/ns/activitystreams',
          expect.objectContaining({ LikeRequest: 'gts:LikeRequest' }),
        ],
        id: `${actor()}#likerequests/${id}`,
        type: 'LikeRequest',
        actor: actor(),
        to: [peer.uri],
        object: post.uri,
        instrument: {
          id: `${actor()}#likes/${id}`,
          type: 'Like',
          actor: actor(),
          object: post.uri,
          to: [peer.uri],
        },
      },
    ])
  })

  it('shows the pending favourite to its account alone, and counts it nowhere', async () => {
    await requested()
    expect(await shown(post)).toMatchObject({ favourited: true, favourites_count: 0 })
    expect(await shown(post, carol)).toMatchObject(isNotLiked)
    for (const by of [alice, carol]) {
      const { body } = await as(by).get(`/api/v1/statuses/${post.id}/favourited_by`)
      expect(body).toEqual([])
    }
  })

  it('counts the favourite once the author accepts, and sends it with the authorization', async () => {
    const id = await requested()
    for (let times = 0; times < 2; times += 1) await answered('0.21-accept-like-request', id)
    const consent = `${peer.uri}/authorizations/01KFGE`
    expect(await arrived(2)).toMatchObject({
      id: `${actor()}#likes/${id}`,
      type: 'Like',
      object: post.uri,
      to: [peer.uri],
      likeAuthorization: consent,
      approvedBy: consent,
    })
    expect(await shown(post)).toMatchObject({ favourited: true, favourites_count: 1 })
    const { body } = await as(carol).get(`/api/v1/statuses/${post.id}/favourited_by`)
    expect(body).toMatchObject([{ username: alice.username }])
    expect(await requests()).toEqual([])
  })

  it('accepts an Accept that names only the id of the Like, and stores the Accept as proof', async () => {
    const id = await requested()
    await answered('0.20-accept-like', id)
    const last = await arrived(2)
    expect(last).toMatchObject({ type: 'Like', approvedBy: `${peer.uri}/accepts/01JBF5` })
    expect(last).not.toHaveProperty('likeAuthorization')
    expect(await shown(post)).toMatchObject({ favourited: true, favourites_count: 1 })
  })

  it.each(['0.21-reject-like-request', '0.20-reject-like'])(
    'removes the pending favourite where the author answers %s',
    async (name) => {
      await answered(name, await requested())
      expect(await shown(post)).toMatchObject(isNotLiked)
      expect(peer.received()).toHaveLength(1)
    },
  )

  it('sends the withdrawal of a pending favourite to the author alone', async () => {
    const id = await requested()
    expect((await as(alice).post(`/api/v1/statuses/${post.id}/unfavourite`)).body).toMatchObject(isNotLiked)
    await sentByCouriers()
    expect(await arrived(2)).toMatchObject({ type: 'Undo', object: { id: `${actor()}#likes/${id}` } })
    await answered('0.21-accept-like-request', id)
    expect(await shown(post)).toMatchObject(isNotLiked)
  })

  it('sends one request however often the favourite is made', async () => {
    await requested()
    await like(post)
    expect(peer.received()).toHaveLength(1)
  })

  it('ignores answers of other actors, and answers under another name', async () => {
    const id = await requested()
    const mallory = await knownPeer({ host: peer.host })
    for (const name of ['0.21-accept-like-request', '0.21-reject-like-request', '0.20-accept-like'])
      await answered(name, id, mallory)
    const forged = `https://fieldfare.test/users/${carol.username}#likes/${id}`
    await peer.send({ ...peer.accept(forged), object: forged })
    expect(await shown(post)).toMatchObject({ favourited: true, favourites_count: 0 })
    expect(peer.received()).toHaveLength(1)
  })

  it('deletes the pending favourite with the status, and with the requesting account', async () => {
    await requested()
    await peer.send(peer.delete(post.uri))
    await sentByCouriers()
    expect(await requests()).toEqual([])

    post = await received({ manualApproval: [everybody] })
    await like(post)
    expect(await requests()).toHaveLength(1)
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    await purgeAccountData(context(), alice.id)
    expect(await requests()).toEqual([])
  })
})

describe('a favourite that needs no approval', () => {
  it('stores the approval that the author sends without a request', async () => {
    const post = await received({ automaticApproval: [everybody] })
    await like(post)
    const id = String((await arrived(1))?.id)
    const renamed = {
      'https://fieldfare.test/users/ada#likes/41': id,
      'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001': post.uri,
    }
    const accept = wireFrom('gotosocial-0.20-accept-like', { from: peer, to: alice, renamed })
    await peer.send(accept)
    const approvals = async () =>
      (await context().db.select().from(favourites).where(eq(favourites.accountId, alice.id))).map(
        ({ approval }) => approval,
      )
    const byAccept = { state: 'accepted', uri: null, held: null, accept: accept['id'] }
    expect(await approvals()).toEqual([byAccept])
    expect((await peer.send({ ...accept, id: `${peer.uri}/accepts/again` })).costs.rowsWritten).toBe(0)
    const result = `${peer.uri}/authorizations/later`
    await peer.send({ ...accept, id: `${peer.uri}/accepts/later`, result })
    expect(await approvals()).toMatchObject([{ uri: result }])
    await peer.send(accept)
    expect(await approvals()).toMatchObject([{ uri: result }])
    expect(await shown(post)).toMatchObject({ favourited: true, favourites_count: 1 })
  })
})

describe('a request to favourite a status from here', () => {
  async function request(id: string) {
    const renamed = { 'https://fieldfare.test/users/ada/statuses/9': `${actor()}/statuses/${id}` }
    return wireFrom('gotosocial-0.21-like-request', { from: peer, to: alice, renamed })
  }

  it('accepts a permitted request, counts the favourite, and serves the consent', async () => {
    const { id } = await given.status({ by: alice })
    const document = await request(id)
    await peer.send(document)
    await peer.send(peer.like(`${actor()}/statuses/${id}`))
    await sentByCouriers()
    const accept = await arrived(1)
    const instrument = z.looseObject({ id: z.string() }).parse(document['instrument']).id
    expect(accept).toMatchObject({
      type: 'Accept',
      to: [peer.uri],
      object: { type: 'LikeRequest', id: document['id'], object: `${actor()}/statuses/${id}`, instrument },
    })
    expect(await shown({ id })).toMatchObject({ favourites_count: 1 })
    const consent = await fetchDocument(String(accept?.['result']))
    expect(consent.body).toMatchObject({
      id: accept?.['result'],
      type: 'LikeAuthorization',
      attributedTo: actor(),
      interactingObject: instrument,
      interactionTarget: `${actor()}/statuses/${id}`,
    })
    await peer.send(peer.undo(peer.like(`${actor()}/statuses/${id}`)))
    expect((await fetchDocument(String(accept?.['result']))).status).toBe(404)
  })

  it('ignores requests by another actor, of another status, or of a hidden status', async () => {
    const [{ id }, other] = [await given.status({ by: alice }), await given.status({ by: alice })]
    const hidden = await given.status({ by: alice, visibility: 'private' })
    const victim = await knownPeer()
    const document = await request(id)
    const instrument = z.looseObject({}).parse(document['instrument'])
    for (const forged of [
      { ...document, instrument: { ...instrument, actor: victim.uri } },
      { ...document, instrument: { ...instrument, object: `${actor()}/statuses/${other.id}` } },
      { ...document, instrument: z.looseObject({ id: z.string() }).parse(instrument).id },
      { ...document, instrument: { ...instrument, type: 'Announce' } },
      await request(hidden.id),
    ])
      await peer.send(forged)
    await sentByCouriers()
    expect(peer.received()).toEqual([])
    for (const one of [id, other.id, hidden.id])
      expect(await shown({ id: one })).toMatchObject({ favourites_count: 0 })
  })

  it('gives no consent to a Like without a request', async () => {
    const { id } = await given.status({ by: alice })
    await peer.send(peer.like(`${actor()}/statuses/${id}`))
    const [row] = await context().db.select().from(favourites).where(eq(favourites.accountId, peer.id))
    expect((await fetchDocument(`/users/${alice.username}/authorizations/${row?.id}`)).status).toBe(404)
  })
})
