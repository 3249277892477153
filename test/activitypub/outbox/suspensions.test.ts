import { beforeEach, describe, expect, it } from 'vitest'
import { reports } from '../../../src/db/schema'
import { unsuspendAccount } from '../../../src/domain/moderation/act'
import { removeDueAccounts } from '../../../src/domain/moderation/delete-account'
import { operator } from '../../../src/domain/policy/permissions'
import { sentByCouriers } from '../../support/courier'
import { fakeQueue } from '../../support/fake-queue'
import { given, type TestAccount } from '../../support/given'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { moderate } from '../../support/moderate'
import { clock, context } from '../../support/test-app'

const day = 86_400_000

let alice: TestAccount
beforeEach(async () => {
  alice = await given.account()
})

const uriOf = ({ username }: { readonly username: string }) => `https://fieldfare.test/users/${username}`

const types = (peer: KnownPeer) => peer.received().map(({ type }) => type)
const profiles = (peer: KnownPeer) =>
  peer.received().flatMap(({ type, object }) => (type === 'Update' ? [Object(object)] : []))

describe('the suspension of a local account', () => {
  it('sends an Update to servers that know the account, another when the suspension ends, and a Delete after 30 days', async () => {
    const [follower, followed, stranger] = [await knownPeer(), await knownPeer(), await knownPeer()]
    await relation.follow(follower, alice)
    await relation.follow(alice, followed)
    await moderate(alice, 'suspend')
    await sentByCouriers()
    for (const peer of [follower, followed]) {
      expect(peer.received()).toMatchObject([
        { type: 'Update', actor: uriOf(alice), object: { id: uriOf(alice), suspended: true } },
      ])
      expect(peer.deliveries()[0]?.headers.get('signature')).toContain(`keyId="${uriOf(alice)}#main-key"`)
    }
    await unsuspendAccount(context(), operator, alice.id)
    await sentByCouriers()
    expect(profiles(follower).map(({ suspended }) => suspended ?? false)).toEqual([true, false])
    expect(types(stranger)).toEqual([])
    await moderate(alice, 'suspend')
    clock.advance(30 * day - 1)
    await removeDueAccounts(context())
    await sentByCouriers()
    expect(types(follower)).toEqual(['Update', 'Update', 'Update'])
    clock.advance(1)
    await removeDueAccounts(context())
    await sentByCouriers()
    expect(types(follower)).toEqual(['Update', 'Update', 'Update', 'Delete'])
    expect(stranger.received()).toMatchObject([{ type: 'Delete', actor: uriOf(alice), object: uriOf(alice) }])
  })

  it('sends the suspension to servers that reported the account and those it recently mentioned', async () => {
    const [reporter, named, namedLongAgo] = [await knownPeer(), await knownPeer(), await knownPeer()]
    await given.status({ by: alice, text: `@${namedLongAgo.handle} hello` })
    clock.advance(3 * day)
    await given.status({ by: alice, text: `@${named.handle} hello` })
    await context().db.insert(reports).values({
      id: context().ids.next(),
      accountId: reporter.id,
      targetAccountId: alice.id,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    await moderate(alice, 'suspend')
    await sentByCouriers()
    expect(
      [reporter, named, namedLongAgo].map((peer) => types(peer).filter((type) => type === 'Update')),
    ).toEqual([['Update'], ['Update'], []])
  })

  it('does not federate the suspension of an account that no other server knows', async () => {
    const stranger = await knownPeer()
    const pending = await given.account({ user: { approved: false } })
    await moderate(pending, 'suspend')
    clock.advance(31 * day)
    await removeDueAccounts(context())
    await sentByCouriers()
    expect(stranger.received().filter(({ actor }) => actor === uriOf(pending))).toEqual([])
  })
})

describe('the suspension of a remote account', () => {
  it('sends a Reject of each follow of a suspended remote account, and nothing when the suspension ends', async () => {
    const [peer, neighbour] = [await knownPeer(), await knownPeer()]
    const bob = await given.account()
    await relation.follow(peer, alice)
    await relation.follow(peer, bob)
    await relation.follow(neighbour, alice)
    await relation.follow(alice, peer)
    const queue = fakeQueue()
    await moderate(peer, 'suspend', { ctx: queue.ctx })
    await queue.work()
    await sentByCouriers()
    expect(peer.received()).toHaveLength(2)
    for (const local of [alice, bob])
      expect(peer.received()).toContainEqual(
        expect.objectContaining({
          type: 'Reject',
          actor: uriOf(local),
          object: expect.objectContaining({ type: 'Follow', actor: peer.uri, object: uriOf(local) }),
        }),
      )
    expect(new Set(peer.deliveries().map(({ url }) => url))).toEqual(new Set([peer.inbox]))
    await unsuspendAccount(queue.ctx, operator, peer.id)
    await sentByCouriers()
    expect(peer.received()).toHaveLength(2)
    expect(neighbour.received()).toEqual([])
  })
})

describe('other moderation states', () => {
  it.each(['none', 'disable', 'sensitive', 'silence'] as const)(
    'does not federate the state of a local account: %s',
    async (type) => {
      const follower = await knownPeer()
      await relation.follow(follower, alice)
      await moderate(alice, type)
      await sentByCouriers()
      expect(follower.received()).toEqual([])
    },
  )
})
