import { describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { given } from '../../support/given'
import { memberAndPeer, relation } from '../../support/given-relationships'
import { storedNotification, storedStatus } from '../../support/given-stored'
import { countersOf, notificationsOf, relationshipBetween } from '../../support/viewer-state'

describe('a remote Block', () => {
  it('a Block ends follows and requests in both directions, without an answer', async () => {
    const { alice, peer, target } = await memberAndPeer()
    await relation.follow(alice, peer)
    await relation.follow(peer, alice)
    expect((await peer.send(peer.block(target))).status).toBe(202)
    const ended = { following: false, followed_by: false, blocked_by: true, blocking: false }
    expect(await relationshipBetween(alice, peer)).toMatchObject(ended)
    expect(await countersOf(alice)).toMatchObject({ followers_count: 0, following_count: 0 })
    await runCourierAlarms()
    expect(peer.received()).toEqual([])
  })

  it('a Block hides the posts of the blocker, also in reblogs and in the home feed [T-056]', async () => {
    const { alice, peer, target } = await memberAndPeer()
    const carol = await given.account()
    await relation.follow(alice, carol)
    const id = await storedStatus({ accountId: peer.id, local: false, inHomeOf: [alice.id] })
    const reblog = await storedStatus({ accountId: carol.id, reblogOfId: id, inHomeOf: [alice.id] })
    await storedNotification({ accountId: alice.id, type: 'mention', fromAccountId: peer.id, statusId: id })
    await peer.send(peer.block(target))
    for (const hidden of [id, reblog])
      expect((await as(alice).get(`/api/v1/statuses/${hidden}`)).status).toBe(404)
    expect((await as(alice).get('/api/v1/timelines/home')).body).toEqual([])
    expect(await notificationsOf(alice)).toEqual([])
    expect((await as(carol).get(`/api/v1/statuses/${id}`)).status).toBe(200)
  })

  it('a Block stops the blocked account from following, reblogging and replying', async () => {
    const { alice, peer, target } = await memberAndPeer()
    const id = await storedStatus({ accountId: peer.id, local: false })
    await peer.send(peer.block(target))
    expect((await as(alice).post(`/api/v1/accounts/${peer.id}/follow`)).status).toBe(403)
    expect((await as(alice).post(`/api/v1/statuses/${id}/reblog`)).status).toBe(404)
    const reply = { status: 'why?', in_reply_to_id: String(id) }
    expect((await as(alice).post('/api/v1/statuses', reply)).status).toBe(404)
  })

  it('a repeated Block changes nothing', async () => {
    const { peer, target } = await memberAndPeer()
    const block = peer.block(target)
    await peer.send(block)
    const again = await peer.send(block)
    expect([again.status, again.costs.rowsWritten]).toEqual([202, 0])
  })

  it('ignores a Block of an unknown account', async () => {
    const [peer, other] = [await given.peer(), await given.peer()]
    const answer = await peer.send(peer.block(other))
    expect([answer.status, answer.costs.rowsWritten]).toEqual([202, 0])
  })
})
