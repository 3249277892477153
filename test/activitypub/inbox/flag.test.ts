import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { statusUri } from '../../../src/contract/addresses'
import { Notification } from '../../../src/contract/entities/notification'
import { reports, statusMentions } from '../../../src/db/schema'
import { as } from '../../support/as'
import { captureDelivery } from '../../support/capture-delivery'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const reportsAbout = ({ id }: TestAccount) =>
  context().db.select().from(reports).where(eq(reports.targetAccountId, id))

describe('a Flag', () => {
  it('stores a report about the account with its statuses', async () => {
    const [alice, bob, peer] = [await given.account(), await given.account(), await given.peer()]
    const [own, other] = [
      await storedStatus({ accountId: alice.id }),
      await storedStatus({ accountId: bob.id }),
    ]
    const uris = [
      fediverse.local(alice).uri,
      statusUri('https://fieldfare.test', alice.username, own),
      // The author of a reported status is reported too, with that status.
      statusUri('https://fieldfare.test', bob.username, other),
      'https://remote.test/users/somebody',
    ]
    const report = peer.flag(uris, 'Rude <b>birds</b>')
    for (const copy of [report, report]) expect((await peer.send(copy)).status).toBe(202)
    expect(await reportsAbout(alice)).toMatchObject([
      {
        accountId: peer.id,
        statusIds: [own],
        category: 'other',
        forwarded: null,
        uri: report.id,
        actionTakenAt: null,
      },
    ])
    expect(await reportsAbout(bob)).toMatchObject([{ statusIds: [other] }])
  })

  it('notifies moderators once of each reported account', async () => {
    const mia = await given.account({ user: { roleId: 1 } })
    const [alice, bob, peer] = [await given.account(), await given.account(), await given.peer()]
    const report = peer.flag([fediverse.local(alice).uri, fediverse.local(bob).uri], 'Rude birds')
    for (const copy of [report, report]) await peer.send(copy)
    const notified = Notification.array().parse((await as(mia).get('/api/v1/notifications')).body)
    expect(notified.map(({ type, account, report: about }) => [type, account.id, about?.comment])).toEqual(
      Array.from({ length: 2 }, () => ['admin.report', String(peer.id), 'Rude birds']),
    )
    const targets = notified.map(({ report: about }) => Number(about?.target_account.id))
    expect(targets.toSorted()).toEqual([alice.id, bob.id].toSorted())
    expect((await as(alice).get('/api/v1/notifications')).body).toEqual([])
  })

  it('shows moderators only statuses that the reporting server can read', async () => {
    const [alice, peer, neighbour] = [await given.account(), await given.peer(), await given.peer()]
    const ids = {
      private: await storedStatus({ accountId: alice.id, visibility: 'private' }),
      direct: await storedStatus({ accountId: alice.id, visibility: 'direct' }),
      local: await storedStatus({ accountId: alice.id, localOnly: true }),
    }
    await context().db.insert(statusMentions).values({ statusId: ids.direct, accountId: neighbour.id })
    const uris = Object.values(ids).map((id) => statusUri('https://fieldfare.test', alice.username, id))
    const report = async (by: KnownPeer) => {
      await by.send(by.flag([fediverse.local(alice).uri, ...uris], 'Seen'))
      return (await reportsAbout(alice)).find(({ accountId }) => accountId === by.id)?.statusIds
    }
    expect(await report(peer)).toEqual([])
    await relation.follow(neighbour, alice)
    expect(await report(neighbour)).toEqual([ids.private, ids.direct])
  })

  it('drops reports of a server whose reports are rejected', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await domainLimit(peer.host, 'noop', { rejectReports: true })
    expect((await peer.send(peer.flag([fediverse.local(alice).uri], 'x'))).status).toBe(202)
    expect(await reportsAbout(alice)).toEqual([])
  })

  it('ignores a Flag about unknown accounts', async () => {
    const peer = await given.peer()
    const answer = await peer.send(peer.flag(['https://remote.test/users/somebody'], 'x'))
    expect([answer.status, answer.costs.rowsWritten]).toEqual([202, 0])
  })

  it('stores at most a hundred reports a day of one sender, whatever the target', async () => {
    const [alice, bob, peer] = [await given.account(), await given.account(), await given.peer()]
    const about = [fediverse.local(alice).uri, fediverse.local(bob).uri]
    for (let index = 0; index < 60; index += 1)
      expect(await peer.send(peer.flag(about, `Bad ${index}`))).toMatchObject({ status: 202 })
    expect(await reportsAbout(alice)).toHaveLength(50)
    const late = await captureDelivery(peer, peer.flag(about, 'Very bad'))
    expect([late.status, late.reasons]).toEqual([202, ['reporter exceeds the daily limit']])
    clock.advance(25 * 3_600_000)
    await peer.send(peer.flag(about, 'Worse'))
    expect(await reportsAbout(bob)).toHaveLength(51)
  })
})
