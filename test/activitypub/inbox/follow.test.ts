import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../src/db/schema'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { context } from '../../support/test-app'
import { countersOf, notificationsOf, relationshipBetween } from '../../support/viewer-state'

async function pair(options: Parameters<typeof given.account>[0] = {}) {
  const [alice, peer] = [await given.account(options), await given.peer()]
  return { alice, peer, target: fediverse.local(alice), inbox: `/users/${alice.username}/inbox` }
}

describe('a Follow', () => {
  it('accepts a Follow of an unlocked account at once and notifies it', async () => {
    const { alice, peer, target, inbox } = await pair()
    const answer = await peer.send(peer.follow(target), { to: inbox })
    expect([answer.status, answer.text]).toEqual([202, ''])
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: true, requested_by: false })
    expect(await notificationsOf(alice)).toEqual([`follow by ${peer.handle}`])
    expect(await countersOf(alice)).toMatchObject({ followers_count: 1 })
  })

  it('creates a follow request where the target approves followers', async () => {
    const { alice, peer, target } = await pair({ locked: true })
    await peer.send(peer.follow(target))
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false, requested_by: true })
    expect(await notificationsOf(alice)).toEqual([`follow_request by ${peer.handle}`])
  })

  it('creates a follow request where moderators limited the follower', async () => {
    const { alice, peer, target } = await pair()
    const limited = sql`update ${accounts} set silenced_at = 1 where id = ${peer.id}`
    await context().db.run(limited)
    await peer.send(peer.follow(target))
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false, requested_by: true })
  })

  it('creates a follow request where moderators limited the server of the follower', async () => {
    const { alice, peer, target } = await pair()
    await domainLimit(peer.host, 'silence')
    await peer.send(peer.follow(target))
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false, requested_by: true })
  })

  it('accepts a Follow at the shared inbox, and counts it once when both inboxes receive it [T-061]', async () => {
    const { alice, peer, target, inbox } = await pair()
    const follow = peer.follow(target)
    const answers = [await peer.send(follow), await peer.send(follow, { to: inbox }), await peer.send(follow)]
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await countersOf(alice)).toMatchObject({ followers_count: 1 })
    expect(answers[1]?.costs.rowsWritten).toBe(0)
  })

  it('ignores a Follow that arrives after its Undo, also when repeated', async () => {
    const { alice, peer, target } = await pair()
    const follow = peer.follow(target)
    await peer.send(peer.undo(follow))
    await peer.send(follow)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false })
    const second = peer.follow(target)
    for (const activity of [second, peer.undo(second), second]) await peer.send(activity)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false })
    expect(await countersOf(alice)).toMatchObject({ followers_count: 0 })
  })

  it('answers a Follow of an unknown account with 404 at its inbox and 202 at the shared one', async () => {
    const peer = await given.peer()
    const follow = peer.follow('https://fieldfare.test/users/nobody_at_all')
    expect((await peer.send(follow, { to: '/users/nobody_at_all/inbox' })).status).toBe(404)
    expect((await peer.send(follow)).status).toBe(202)
  })
})
