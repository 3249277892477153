import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { instanceActorUri } from '../../../src/contract/addresses'
import { accountDomainBlocks, accounts } from '../../../src/db/schema'
import { runCourierAlarms } from '../../support/courier'
import { publicCollection } from '../../support/fediverse/documents'
import { given, type TestAccount } from '../../support/given'
import { memberAndPeer, relation } from '../../support/given-relationships'
import { context } from '../../support/test-app'
import { relationshipBetween } from '../../support/viewer-state'

describe('a Follow', () => {
  it.each<[string, (alice: TestAccount, peer: { id: number; host: string }) => Promise<unknown>]>([
    ['blocks the follower', (alice, peer) => relation.block(alice, peer)],
    ['is blocked by the follower', (alice, peer) => relation.block(peer, alice)],
    ['blocks their domain', blockDomain],
    ['has moved', (alice, peer) => moveTo(alice, peer)],
  ])('rejects a Follow where the target %s', async (_case, decide) => {
    const { alice, peer, target } = await memberAndPeer()
    await decide(alice, peer)
    const follow = peer.follow(target)
    expect((await peer.send(follow)).status).toBe(202)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false, requested_by: false })
    await runCourierAlarms()
    expect(peer.received()).toMatchObject([{ type: 'Reject', actor: target.uri, object: { id: follow.id } }])
  })

  it.each([['as:Public'], [publicCollection], [instanceActorUri('https://fieldfare.test')]])(
    'rejects a Follow of %s by the instance actor, and leaves no open request [T-059]',
    async (target) => {
      const peer = await given.peer()
      const follow = peer.follow(target)
      expect((await peer.send(follow, { to: '/actor/inbox' })).status).toBe(202)
      await runCourierAlarms()
      expect(peer.received()).toMatchObject([
        {
          type: 'Reject',
          actor: instanceActorUri('https://fieldfare.test'),
          object: { id: follow.id },
        },
      ])
    },
  )

  it('rejects a Follow by a suspended account, with the usual answer of the inbox', async () => {
    const { alice, peer, target } = await memberAndPeer()
    await context().db.run(sql`update ${accounts} set suspended_at = 1 where id = ${alice.id}`)
    const follow = peer.follow(target)
    expect((await peer.send(follow, { to: `/users/${alice.username}/inbox` })).status).toBe(202)
    await runCourierAlarms()
    expect(peer.received()).toMatchObject([{ type: 'Reject', object: { id: follow.id } }])
  })

  it('signs the answer to a Follow with the key of the followed account [T-060]', async () => {
    const { peer, target } = await memberAndPeer()
    const follow = peer.follow(target)
    await peer.send(follow)
    await runCourierAlarms()
    expect(peer.received()).toMatchObject([{ type: 'Accept', actor: target.uri, object: { id: follow.id } }])
    const [delivery] = peer.deliveries()
    expect(delivery?.headers.get('signature')).toContain(`keyId="${target.uri}#main-key"`)
  })
})

async function blockDomain(alice: TestAccount, peer: { host: string }): Promise<void> {
  const ctx = context()
  const row = { accountId: alice.id, domain: peer.host, id: ctx.ids.next() }
  await ctx.db.insert(accountDomainBlocks).values(row)
}

async function moveTo(alice: TestAccount, { id }: { id: number }): Promise<void> {
  await context().db.run(sql`update ${accounts} set moved_to_account_id = ${id} where id = ${alice.id}`)
}
