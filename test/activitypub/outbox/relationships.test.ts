import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { followRequests, follows, users } from '../../../src/db/schema'
import { acceptFollowRequest } from '../../../src/domain/relationships/requests'
import type { QueuedDelivery } from '../../../src/ports/federation'
import { as } from '../../support/as'
import { sentByCouriers } from '../../support/courier'
import { given, type TestAccount } from '../../support/given'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { context, settleLateWork } from '../../support/test-app'

let alice: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  peer = await knownPeer()
})

const actor = () => `https://fieldfare.test/users/${alice.username}`

async function act(path: string) {
  expect((await as(alice).post(`/api/v1/accounts/${peer.id}/${path}`)).status).toBe(200)
  await sentByCouriers()
}

describe('following a remote account', () => {
  it('sends a Follow to the account’s own inbox, and an Undo with the same id', async () => {
    await act('follow')
    await act('unfollow')
    expect(peer.deliveries().map(({ url }) => url)).toEqual([peer.inbox, peer.inbox])
    const [follow, undo] = peer.received()
    expect(follow).toMatchObject({ type: 'Follow', actor: actor(), object: peer.uri })
    expect(undo).toMatchObject({
      type: 'Undo',
      actor: actor(),
      object: { type: 'Follow', id: follow?.['id'], actor: actor(), object: peer.uri },
    })
  })

  it('keeps the id of the Follow after its Accept for the Undo', async () => {
    await act('follow')
    await acceptFollowRequest(context(), { id: peer.id }, alice.id)
    await sentByCouriers()
    await act('unfollow')
    const [follow, undo, ...rest] = peer.received()
    expect(undo).toMatchObject({ type: 'Undo', object: { type: 'Follow', id: follow?.['id'] } })
    expect(rest).toEqual([])
  })

  it('sends one Follow however often it is requested', async () => {
    await act('follow')
    await act('follow')
    expect(peer.received()).toHaveLength(1)
  })
})

describe('followers of other servers', () => {
  const uri = () => `${peer.uri}#follows/1`

  it('accepts a remote follower with an Accept signed by the followed account (pitfall 14) [T-108]', async () => {
    await relation.followRequest(peer, alice, { uri: uri() })
    await as(alice).post(`/api/v1/follow_requests/${peer.id}/authorize`)
    await sentByCouriers()
    const object = { type: 'Follow', id: uri(), actor: peer.uri, object: actor() }
    expect(peer.received()).toMatchObject([{ type: 'Accept', actor: actor(), object }])
    const [delivery] = peer.deliveries()
    expect(delivery?.headers.get('signature')).toContain(`keyId="${actor()}#main-key"`)
    const [follow] = await context().db.select().from(follows).where(eq(follows.accountId, peer.id))
    expect(follow?.uri).toBe(uri())
  })

  it('rejects a remote follower with a Reject', async () => {
    await relation.followRequest(peer, alice, { uri: uri() })
    await as(alice).post(`/api/v1/follow_requests/${peer.id}/reject`)
    await sentByCouriers()
    expect(peer.received()).toMatchObject([{ type: 'Reject', actor: actor(), object: { id: uri() } }])
    const left = await context().db.select().from(followRequests).where(eq(followRequests.accountId, peer.id))
    expect(left).toEqual([])
  })

  it('removes a remote follower with a Reject as well', async () => {
    await relation.follow(peer, alice, { uri: uri() })
    await act('remove_from_followers')
    expect(peer.received()).toMatchObject([{ type: 'Reject', actor: actor(), object: { id: uri() } }])
  })
})

describe('a block', () => {
  it('sends a Block with the end of both follows, and its Undo', async () => {
    await relation.follow(peer, alice, { uri: `${peer.uri}#follows/1` })
    await relation.follow(alice, peer)
    await act('block')
    const delivered = peer.received().map(({ type }) => type)
    expect(delivered.toSorted()).toEqual(['Block', 'Reject', 'Undo'])
    await act('unblock')
    const block = peer.received().find(({ type }) => type === 'Block')
    expect(peer.received().at(-1)).toMatchObject({
      type: 'Undo',
      object: { type: 'Block', id: block?.['id'], actor: actor(), object: peer.uri },
    })
  })

  it('blocking a server ends each follow with its own activity', async () => {
    const second = await knownPeer({ host: peer.host })
    await relation.follow(peer, alice, { uri: `${peer.uri}#follows/1` })
    await relation.follow(alice, second)
    await as(alice).post('/api/v1/domain_blocks', { domain: peer.host })
    await sentByCouriers()
    expect(peer.received().filter(({ type }) => type === 'Reject')).toHaveLength(1)
    expect(second.received()).toMatchObject([
      { type: 'Undo', object: { type: 'Follow', actor: actor(), object: second.uri } },
    ])
  })

  it('blocking a server is one call of its courier, however many follows end', async () => {
    const second = await knownPeer({ host: peer.host })
    for (const one of [peer, second]) {
      await relation.follow(one, alice)
      await relation.follow(alice, one)
    }
    const calls: { readonly host: string; readonly inboxes: readonly string[] }[] = []
    const couriers = {
      enqueue: async (host: string, parcels: readonly QueuedDelivery[]) =>
        void calls.push({ host, inboxes: parcels.flatMap(({ inboxes }) => inboxes) }),
      wake: async () => undefined,
    }
    const overrides = { couriers }
    await as(alice).post('/api/v1/domain_blocks', { domain: peer.host }, { overrides })
    await settleLateWork()
    expect(calls.map(({ host }) => host)).toEqual([peer.host])
    const expected = [peer.inbox, peer.inbox, second.inbox, second.inbox]
    expect(calls[0]?.inboxes.toSorted()).toEqual(expected.toSorted())
  })
})

describe('a profile', () => {
  it('sends a changed profile as a whole to followers and followed accounts (pitfalls 61, 62) [T-109]', async () => {
    const [follower, followed] = [await knownPeer(), await knownPeer()]
    await relation.follow(follower, alice)
    await relation.follow(alice, followed)
    const answer = await as(alice).patch('/api/v1/accounts/update_credentials', {
      display_name: 'Alice of the wrens',
      fields_attributes: [{ name: 'Song', value: 'loud' }],
    })
    expect(answer.status).toBe(200)
    await as(alice).patch('/api/v1/accounts/update_credentials', { note: 'Small birds' })
    await sentByCouriers()
    for (const one of [follower, followed]) {
      const updates = one.received()
      expect(updates).toMatchObject([
        {
          type: 'Update',
          actor: actor(),
          object: { id: actor(), type: 'Person', name: 'Alice of the wrens' },
        },
        {
          object: {
            name: 'Alice of the wrens',
            summary: '<p>Small birds</p>',
            attachment: [{ type: 'PropertyValue', name: 'Song', value: 'loud' }],
          },
        },
      ])
      expect(new Set(updates.map(({ id }) => id)).size).toBe(2)
    }
    expect(peer.received()).toEqual([])
  })

  it('does not send a profile when only private settings change', async () => {
    await relation.follow(peer, alice)
    await as(alice).patch('/api/v1/accounts/update_credentials', { 'source[privacy]': 'private' })
    await sentByCouriers()
    expect(peer.received()).toEqual([])
    expect((await context().db.select().from(users).where(eq(users.accountId, alice.id))).length).toBe(1)
  })
})
