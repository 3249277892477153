import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { importedStatus } from '../../support/given-remote'
import { relationshipBetween } from '../../support/viewer-state'
import { wireFrom } from '../../support/wire-from'

type Kind = 'favourite' | 'reblog'

interface Scene {
  readonly alice: TestAccount
  readonly peer: KnownPeer
  /** The post of the peer. */
  readonly post: { readonly id: number; readonly uri: string }
  /** Delivery of Alice in answer to the activity. */
  readonly sent: string
}

/** Alice favourited or reblogged a post of the peer, whose server was told. */
async function scene(kind: Kind = 'favourite'): Promise<Scene> {
  const [alice, peer] = [await given.account(), await given.peer({ software: 'gotosocial' })]
  const post = await importedStatus(peer)
  expect((await as(alice).post(`/api/v1/statuses/${post.id}/${kind}`)).status).toBe(200)
  await runCourierAlarms()
  const sent = peer.received().at(-1)
  expect(sent).toMatchObject({ type: kind === 'favourite' ? 'Like' : 'Announce' })
  return { alice, peer, post, sent: sent?.id ?? '' }
}

function answer(name: string, { alice, peer, post, sent }: Scene) {
  const { uri } = fediverse.local(alice)
  const renamed = {
    'https://fieldfare.test/users/ada#likes/41': sent,
    'https://fieldfare.test/users/ada/statuses/42/activity': sent,
    'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001': post.uri,
  }
  expect(uri).toBe(`https://fieldfare.test/users/${alice.username}`)
  return wireFrom(name, { from: peer, to: alice, renamed })
}

const shown = async ({ alice, post }: Scene) => (await as(alice).get(`/api/v1/statuses/${post.id}`)).body
const follows = ({ alice, peer }: Scene) => relationshipBetween(alice, peer)

describe('an Accept of a local account’s Like', () => {
  it('an Accept of a Like does not accept a pending follow request', async () => {
    const told = await scene()
    await relation.followRequest(told.alice, told.peer)
    expect((await told.peer.send(answer('gotosocial-0.20-accept-like', told))).status).toBe(202)
    expect(await follows(told)).toMatchObject({ requested: true, following: false })
    expect(await shown(told)).toMatchObject({ favourited: true, favourites_count: 1 })
  })
})

describe('a Reject of a local account’s Like', () => {
  it('a Reject of a Like removes the favourite and keeps the follow', async () => {
    const told = await scene()
    await relation.follow(told.alice, told.peer)
    expect((await told.peer.send(answer('gotosocial-0.20-reject-like', told))).status).toBe(202)
    expect(await follows(told)).toMatchObject({ following: true })
    expect(await shown(told)).toMatchObject({ favourited: false, favourites_count: 0 })
  })

  it('accepts a Reject with the Like embedded, and sends no Undo', async () => {
    const told = await scene()
    const reject = { ...answer('gotosocial-0.20-reject-like', told), object: { type: 'Like', id: told.sent } }
    await told.peer.send(reject)
    expect(await shown(told)).toMatchObject({ favourited: false })
    await runCourierAlarms()
    expect(told.peer.received().map(({ type }) => type)).toEqual(['Like'])
  })

  it('a Reject removes that emoji reaction and no other', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const post = await importedStatus(peer)
    for (const name of ['🐦', '🌿'])
      await as(alice).post(`/api/v1/pleroma/statuses/${post.id}/reactions/${name}`)
    await as(alice).put(`/api/v1/pleroma/statuses/${post.id}/reactions/🐦`)
    await runCourierAlarms()
    const sent = peer.received()
    expect(sent.map(({ type, content }) => [type, content])).toContainEqual(['EmojiReact', '🐦'])
    const wren = sent.find(({ content }) => content === '🐦')
    await peer.send(peer.reject(wren?.id))
    const { body } = await as(alice).get(`/api/v1/statuses/${post.id}`)
    expect(JSON.stringify(body)).not.toContain('🐦')
  })

  it('a repeated Reject of a Like writes nothing', async () => {
    const told = await scene()
    const reject = answer('gotosocial-0.20-reject-like', told)
    await told.peer.send(reject)
    const again = await told.peer.send(reject)
    expect([again.status, again.costs.rowsWritten]).toEqual([202, 0])
  })

  it('ignores a Reject of a Like by another actor, on the same server or another', async () => {
    const told = await scene()
    const others = [await given.peer({ host: told.peer.host }), await given.peer()]
    for (const other of others)
      expect((await other.send(answer('gotosocial-0.20-reject-like', { ...told, peer: other }))).status).toBe(
        202,
      )
    expect(await shown(told)).toMatchObject({ favourited: true, favourites_count: 1 })
  })

  it('ignores a Reject of a Like that another account made in the name of Alice', async () => {
    const told = await scene()
    const bob = await given.account()
    await relation.follow(told.alice, told.peer)
    const forged = told.sent.replace(told.alice.username, bob.username)
    await told.peer.send(told.peer.reject(forged))
    expect(await shown(told)).toMatchObject({ favourited: true })
    expect(await follows(told)).toMatchObject({ following: true })
  })

  it('ignores a Reject that calls the Like a Follow', async () => {
    const told = await scene()
    await relation.follow(told.alice, told.peer)
    const { uri } = fediverse.local(told.alice)
    const odd = { type: 'Like', id: `${uri}#follows/1`, actor: uri, object: told.post.uri }
    await told.peer.send(told.peer.reject(odd))
    expect(await follows(told)).toMatchObject({ following: true })
    expect(await shown(told)).toMatchObject({ favourited: true })
  })
})

describe('an answer to a local account’s Announce', () => {
  it('an Accept of an Announce changes nothing', async () => {
    const told = await scene('reblog')
    await relation.followRequest(told.alice, told.peer)
    await told.peer.send(answer('gotosocial-0.20-accept-announce', told))
    expect(await follows(told)).toMatchObject({ requested: true, following: false })
    expect(await shown(told)).toMatchObject({ reblogged: true, reblogs_count: 1 })
  })

  it('a Reject of an Announce undoes the reblog, also for remote followers', async () => {
    const told = await scene('reblog')
    const fan = await given.peer()
    await relation.follow(fan, told.alice)
    await relation.follow(told.alice, told.peer)
    await told.peer.send(answer('gotosocial-0.20-reject-announce', told))
    expect(await shown(told)).toMatchObject({ reblogged: false, reblogs_count: 0 })
    expect(await follows(told)).toMatchObject({ following: true })
    await runCourierAlarms()
    expect(fan.received()).toMatchObject([
      { type: 'Undo', object: { type: 'Announce', object: told.post.uri } },
    ])
  })

  it('ignores an answer to an Announce by another actor', async () => {
    const told = await scene('reblog')
    const other = await given.peer()
    await other.send(answer('gotosocial-0.20-reject-announce', { ...told, peer: other }))
    expect(await shown(told)).toMatchObject({ reblogged: true, reblogs_count: 1 })
  })
})

describe('an answer to another object of a local account', () => {
  it.each([
    ['a fragment nobody here uses', '#answers/1'],
    ['the actor', ''],
    ['a note that was not shared', '/statuses/1'],
  ])('an answer that names %s does not answer a Follow', async (_case, rest) => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    const { uri } = fediverse.local(alice)
    expect((await peer.send(peer.reject(`${uri}${rest}`))).costs.rowsWritten).toBe(0)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ following: true })
  })
})
