import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { countersOf, relationshipBetween } from '../../support/viewer-state'

/** Alice asked to follow the peer. */
async function asked() {
  const [alice, peer] = [await given.account(), await given.peer({ locked: true })]
  const { body } = await as(alice).post(`/api/v1/accounts/${peer.id}/follow`)
  expect(body).toMatchObject({ requested: true, following: false })
  const { uri } = fediverse.local(alice)
  return { alice, peer, follow: { type: 'Follow', actor: uri, object: peer.uri } }
}

const following = (alice: TestAccount, peer: KnownPeer) => relationshipBetween(alice, peer)

describe('an Accept of a local account’s Follow', () => {
  it.each<[string, (follow: { actor: string }) => unknown]>([
    ['the whole Follow', (follow) => follow],
    ['the Follow under an id of its own', (follow) => ({ ...follow, id: 'https://remote.test/made-up' })],
    ['an unknown id of this server', ({ actor }) => `${actor}#follows/77`],
    ['a Follow without its object', ({ actor }) => ({ type: 'Follow', actor, id: `${actor}#follows/78` })],
  ])('accepts %s, matched by follower and target', async (_case, form) => {
    const { alice, peer, follow } = await asked()
    const answer = await peer.send(peer.accept(form(follow)))
    expect(answer.status).toBe(202)
    expect(await following(alice, peer)).toMatchObject({ following: true, requested: false })
    expect(await countersOf(alice)).toMatchObject({ following_count: 1 })
  })

  it('applies an Accept once, and ignores it without a request', async () => {
    const { alice, peer, follow } = await asked()
    const accept = peer.accept(follow)
    await peer.send(accept)
    expect((await peer.send(accept)).costs.rowsWritten).toBe(0)
    expect(await countersOf(alice)).toMatchObject({ following_count: 1 })
    const [bob, stranger] = [await given.account(), await given.peer()]
    const forged = { type: 'Follow', actor: fediverse.local(bob).uri, object: stranger.uri }
    await stranger.send(stranger.accept(forged))
    expect(await following(bob, stranger)).toMatchObject({ following: false })
  })

  it('ignores an Accept of another actor [T-053]', async () => {
    const { alice, peer, follow } = await asked()
    const other = await given.peer()
    await other.send(other.accept(follow))
    expect(await following(alice, peer)).toMatchObject({ following: false, requested: true })
  })

  it('inserts earlier posts of the followed account into the home feed', async () => {
    const { alice, peer, follow } = await asked()
    const id = await storedStatus({ accountId: peer.id, local: false, uri: `${peer.uri}/statuses/1` })
    await peer.send(peer.accept(follow))
    const { body } = await as(alice).get('/api/v1/timelines/home')
    expect(body).toMatchObject([{ id: String(id) }])
  })
})

describe('a Reject of a local account’s Follow', () => {
  it('a Reject deletes the follow request', async () => {
    const { alice, peer, follow } = await asked()
    await peer.send(peer.reject(follow))
    expect(await following(alice, peer)).toMatchObject({ following: false, requested: false })
  })

  it('a Reject ends an accepted follow, without an answer', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const { uri } = fediverse.local(alice)
    await peer.send(peer.reject(`${uri}#follows/1`))
    expect(await following(alice, peer)).toMatchObject({ following: false })
    expect(await countersOf(alice)).toMatchObject({ following_count: 0 })
    await runCourierAlarms()
    expect(peer.received()).toEqual([])
  })

  it('the Undo of an Accept works like a Reject [T-054]', async () => {
    const { alice, peer, follow } = await asked()
    const accept = peer.accept(follow)
    await peer.send(accept)
    await peer.send(peer.undo(accept))
    expect(await following(alice, peer)).toMatchObject({ following: false, requested: false })
  })

  it('a Reject of a missing follow changes nothing', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const answer = await peer.send(peer.reject(`${fediverse.local(alice).uri}#follows/1`))
    expect([answer.status, answer.costs.rowsWritten]).toEqual([202, 0])
  })
})
