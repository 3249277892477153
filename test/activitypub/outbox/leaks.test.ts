import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts } from '../../../src/db/schema'
import { as } from '../../support/as'
import { sentByCouriers } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

/** Servers that are sent a status, by its visibility and by the interaction: the whole table (pitfalls 54, 55). */

const names = [
  'follower',
  'mentioned',
  'answered',
  'asking',
  'stranger',
  'blocked',
  'suspended',
  'barred',
] as const
type Name = (typeof names)[number]

const Made = z.object({ id: z.string() })

interface Scene {
  readonly alice: TestAccount
  readonly peers: Readonly<Record<Name, KnownPeer>>
  /** Status that is replied to. */
  readonly parent: number
}

async function play(): Promise<Scene> {
  const alice = await given.account()
  const peers = {
    follower: await knownPeer(),
    mentioned: await knownPeer(),
    answered: await knownPeer(),
    asking: await knownPeer(),
    stranger: await knownPeer(),
    blocked: await knownPeer(),
    suspended: await knownPeer(),
    barred: await knownPeer(),
  }
  for (const peer of [peers.follower, peers.blocked, peers.suspended, peers.barred])
    await relation.follow(peer, alice)
  await relation.followRequest(peers.asking, alice)
  const parent = await storedStatus({ accountId: peers.answered.id, local: false })
  await as(alice).post(`/api/v1/accounts/${peers.blocked.id}/block`)
  await context()
    .db.update(accounts)
    .set({ suspendedAt: clock.now() })
    .where(eq(accounts.id, peers.suspended.id))
  await domainLimit(peers.barred.host, 'suspend')
  await context()
    .db.update(accounts)
    .set({ suspendedAt: clock.now() })
    .where(eq(accounts.id, peers.barred.id))
  await sentByCouriers()
  return { alice, peers, parent }
}

/** Names of the peers that were sent `word`, in any form. */
function peersSent({ peers }: Scene, word: string): readonly Name[] {
  return names.filter((name) => peers[name].deliveries().some(({ body }) => body.includes(word)))
}

function typesFor({ peers }: Scene, name: Name, word: string): readonly string[] {
  return peers[name]
    .received()
    .filter((activity) => JSON.stringify(activity).includes(word))
    .map(({ type }) => type)
}

const audiences: Readonly<Record<string, readonly Name[]>> = {
  public: ['follower', 'mentioned', 'answered'],
  unlisted: ['follower', 'mentioned', 'answered'],
  private: ['follower', 'mentioned'],
  direct: ['mentioned'],
  'local-only': [],
}

const bodyOf = (kind: string) => (kind === 'local-only' ? { local_only: true } : { visibility: kind })

describe('a status and its changes', () => {
  it.each(Object.entries(audiences))('delivers to the audience only: %s [T-106]', async (kind, audience) => {
    const scene = await play()
    const { alice, peers, parent } = scene
    const secret = `${freshName('nightjar')}x`
    const status = `@${peers.mentioned.handle} ${secret}`
    const sending = { ...bodyOf(kind), status, in_reply_to_id: String(parent) }
    const { id } = Made.parse((await as(alice).post('/api/v1/statuses', sending)).body)
    await sentByCouriers()
    expect(peersSent(scene, secret)).toEqual(audience)
    const edited = await as(alice).put(`/api/v1/statuses/${id}`, { status: `${status} again` })
    expect(edited.status).toBe(200)
    await as(alice).post(`/api/v1/statuses/${id}/favourite`)
    await as(alice).post(`/api/v1/statuses/${id}/bookmark`)
    await sentByCouriers()
    await as(alice).delete(`/api/v1/statuses/${id}`)
    await sentByCouriers()
    const word = `/statuses/${id}`
    expect(peersSent(scene, word)).toEqual(audience)
    for (const name of audience) expect(typesFor(scene, name, word)).toEqual(['Create', 'Update', 'Delete'])
  })

  it.each(['private', 'direct', 'local-only'])('delivers a poll to its audience: %s', async (kind) => {
    const scene = await play()
    const { alice, peers } = scene
    const secret = `${freshName('nightjar')}x`
    const poll = { options: [secret, 'b'], expires_in: 86_400 }
    const sending = { ...bodyOf(kind), status: `@${peers.mentioned.handle} who?`, poll }
    const { id } = Made.parse((await as(alice).post('/api/v1/statuses', sending)).body)
    await sentByCouriers()
    const question = {
      id: `${fediverse.local(alice).uri}/statuses/${id}`,
      author: fediverse.local(alice).uri,
    }
    for (const voter of ['mentioned', 'stranger'] as const)
      await peers[voter].send(peers[voter].vote(question, secret))
    await sentByCouriers()
    const audience = (audiences[kind] ?? []).filter((name) => name !== 'answered')
    expect(peersSent(scene, secret)).toEqual(audience)
    for (const name of audience) expect(typesFor(scene, name, secret)).toEqual(['Create', 'Update'])
  })
})

describe('a private status', () => {
  const privateOf = async ({ alice }: Scene, status: string) =>
    Made.parse((await as(alice).post('/api/v1/statuses', { status, visibility: 'private' })).body).id

  it('delivers a reblog of a private status to followers for its author, and to nobody for others', async () => {
    const scene = await play()
    const id = await privateOf(scene, 'Between us')
    const bob = await given.account()
    await relation.follow(bob, scene.alice)
    await relation.follow(scene.peers.stranger, bob)
    await as(scene.alice).post(`/api/v1/statuses/${id}/reblog`)
    expect((await as(bob).post(`/api/v1/statuses/${id}/reblog`)).status).toBe(403)
    await as(scene.alice).post(`/api/v1/statuses/${id}/unreblog`)
    await sentByCouriers()
    expect(peersSent(scene, `/statuses/${id}`)).toEqual(['follower'])
    const [, announce] = scene.peers.follower.received()
    expect(announce).toMatchObject({
      type: 'Announce',
      to: [`${fediverse.local(scene.alice).uri}/followers`],
    })
    expect(JSON.stringify(announce)).not.toContain('#Public')
  })

  it('sends the pin of a private status to followers alone', async () => {
    const scene = await play()
    const id = await privateOf(scene, 'Read me first')
    await as(scene.alice).post(`/api/v1/statuses/${id}/pin`)
    await as(scene.alice).post(`/api/v1/statuses/${id}/unpin`)
    await sentByCouriers()
    expect(peersSent(scene, `/statuses/${id}`)).toEqual(['follower'])
  })

  it('delivers a local reply to a private status to the audience of the reply only', async () => {
    const scene = await play()
    const id = await privateOf(scene, 'Only you')
    const bob = await given.account()
    await relation.follow(bob, scene.alice)
    await relation.follow(scene.peers.stranger, bob)
    const secret = `${freshName('nightjar')}x`
    await as(bob).post('/api/v1/statuses', {
      status: `@${scene.alice.username} ${secret}`,
      visibility: 'direct',
      in_reply_to_id: id,
    })
    await sentByCouriers()
    expect(peersSent(scene, secret)).toEqual([])
    await as(bob).post('/api/v1/statuses', { status: secret, visibility: 'private', in_reply_to_id: id })
    await sentByCouriers()
    expect(peersSent(scene, secret)).toEqual(['stranger'])
  })

  it('does not publish the reply count of a private status (pitfall 56) [T-107]', async () => {
    const scene = await play()
    const { alice, peers } = scene
    const { id } = Made.parse((await as(alice).post('/api/v1/statuses', { status: 'Hello' })).body)
    const inReplyTo = `${fediverse.local(alice).uri}/statuses/${id}`
    const mentions = [fediverse.local(alice)]
    const reply = peers.follower.note({ inReplyTo, mentions, visibility: 'private' })
    expect((await peers.follower.send(peers.follower.create(reply))).status).toBe(202)
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ replies_count: 0 })
  })
})
