import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '../../../src/db/schema'
import { as } from '../../support/as'
import { type AttackScenario, attackScenario, expectRejected, runAttack } from '../../support/attack-scenario'
import { captureDelivery } from '../../support/capture-delivery'
import { fediverse } from '../../support/fediverse'
import type { Document } from '../../support/fediverse/documents'
import { given } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'
import { notificationsOf } from '../../support/viewer-state'

/** Suspended servers, and actors that a local account blocks: their activities have no effect on those who block them. */

let scene: AttackScenario

beforeAll(async () => {
  scene = await attackScenario()
})

type Interaction = (peer: KnownPeer, scene: AttackScenario) => Document

const interactions: readonly (readonly [string, Interaction])[] = [
  ['follows', (peer, { ada }) => peer.follow(ada)],
  ['writes', (peer, { ada }) => peer.create(peer.note({ mentions: [fediverse.local(ada)] }))],
  [
    'writes to one alone',
    (peer, { ada }) => peer.create(peer.note({ mentions: [fediverse.local(ada)], visibility: 'direct' })),
  ],
  ['answers', (peer, { posts }) => peer.create(peer.note({ inReplyTo: posts.public }))],
  ['favours', (peer, { posts }) => peer.like(posts.public)],
  ['reacts', (peer, { posts }) => peer.emojiReact(posts.public, '🔥')],
  ['shares', (peer, { posts }) => peer.announce(posts.public)],
  ['votes', (peer, { ada, posts }) => peer.vote({ id: posts.poll, author: ada.uri }, 'Wren')],
  ['reports', (peer, { ada }) => peer.flag([ada.uri], 'bad')],
  ['blocks', (peer, { ada }) => peer.block(ada)],
  ['moves', (peer, { rosa }) => peer.move(rosa)],
  ['pins', (peer, { neighbourNote }) => peer.pin('Add', neighbourNote)],
]

describe('a suspended remote account', () => {
  let gone: KnownPeer

  beforeAll(async () => {
    gone = await knownPeer()
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, gone.id))
  })

  it.each(interactions)(
    'an activity of a suspended remote account has no effect: %s',
    async (_, interaction) => {
      const after = await runAttack(() => captureDelivery(gone, interaction(gone, scene)))
      expectRejected(after, { status: 202, reason: 'its actor is suspended' })
    },
  )
})

describe('an account of a suspended server', () => {
  let barred: KnownPeer

  beforeAll(async () => {
    barred = await knownPeer()
    await domainLimit(barred.host, 'suspend')
  })

  const all: typeof interactions = [
    ...interactions,
    ['changes its profile', (peer) => peer.update()],
    ['leaves', (peer) => peer.activity('Delete', peer.uri)],
    ['undoes', (peer, { ada }) => peer.undo(peer.follow(ada))],
  ]

  it.each(all)('refuses an activity of a suspended server: %s [T-057]', async (_, interaction) => {
    const after = await runAttack(() => captureDelivery(barred, interaction(barred, scene)))
    expectRejected(after, { status: 403, reason: 'its server is suspended' })
  })

  it('does not store an unknown account of a suspended server', async () => {
    const stranger = await fediverse.actor({ host: `sub.${barred.host}` })
    const after = await runAttack(() => captureDelivery(stranger, stranger.follow(scene.ada)))
    expectRejected(after, { status: 401, reason: `${stranger.host} is not spoken with` })
  })
})

describe('an account that a local account blocks (pitfall 50)', () => {
  it.each(interactions.filter(([name]) => !['moves', 'pins', 'reports', 'blocks'].includes(name)))(
    'an activity of a blocked account does not reach the blocker: %s',
    async (_, interaction) => {
      const [blocked, ada] = [await knownPeer(), await given.account()]
      const { id } = await given.status({ by: ada, text: 'Hello', poll })
      const uri = `${fediverse.local(ada).uri}/statuses/${id}`
      await as(ada).post(`/api/v1/accounts/${blocked.id}/block`)
      const mine = {
        ...scene,
        ada: { ...ada, ...fediverse.local(ada) },
        posts: { ...scene.posts, public: uri, poll: uri },
      }
      const captured = await captureDelivery(blocked, interaction(blocked, mine))
      expect([captured.status, captured.errors]).toEqual([202, []])
      expect(await notificationsOf(ada)).toEqual([])
      const counted = await as(ada).get(`/api/v1/statuses/${id}`)
      expect(counted.body).toMatchObject({
        favourites_count: 0,
        reblogs_count: 0,
        replies_count: 0,
        poll: { votes_count: 0 },
      })
      const { body } = await as(ada).get('/api/v1/timelines/home')
      expect(JSON.stringify(body)).not.toContain(blocked.uri)
    },
  )

  it('hides posts of a blocked account in reblogs by others [T-058]', async () => {
    const [blocked, ada, friend] = [await knownPeer(), await given.account(), await knownPeer()]
    const bob = await given.account()
    await relation.follow(bob, friend)
    await relation.follow(ada, friend)
    const note = blocked.note()
    await as(ada).post(`/api/v1/accounts/${blocked.id}/block`)
    const shared = await context().resolver.statusByUri(note.id)
    expect(shared).not.toBeNull()
    expect(await captureDelivery(friend, friend.announce(note.id))).toMatchObject({
      status: 202,
      reasons: [],
    })
    const homeOf = async (reader: typeof ada) =>
      JSON.stringify((await as(reader).get('/api/v1/timelines/home')).body)
    expect(await homeOf(bob)).toContain(note.id)
    expect(await homeOf(ada)).not.toContain(note.id)
  })
})

const poll = { options: ['Wren', 'Robin'], expiresInSeconds: 86_400, multiple: false, hideTotals: false }
