import { describe, expect, it } from 'vitest'
import { idsOf } from '../support/ids'
import { mastoFailure, mastoOf } from '../support/masto'
import { aliceAndBob, newPerson, type Person } from '../support/people'

/** Alice posts, three fans favourite it and the last of them follows her. */
async function applause() {
  const alice = await newPerson('alice')
  const asAlice = mastoOf(alice)
  const { id: statusId } = await asAlice.v1.statuses.create({ status: 'Ta-da' })
  const fans: Person[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const fan = await newPerson('fan')
    await mastoOf(fan).v1.statuses.$select(statusId).favourite()
    fans.push(fan)
  }
  const [first, second, third] = fans
  if (first === undefined || second === undefined || third === undefined) throw new Error('Nobody came')
  await mastoOf(third).v1.accounts.$select(alice.id).follow()
  return { alice, asAlice, statusId, fans: [first, second, third] as const }
}

describe('grouped notifications with masto', () => {
  it('show each entity once, and who did the same together', async () => {
    const { asAlice, statusId, fans } = await applause()
    const found = await asAlice.v2.notifications.list()
    expect(found.notificationGroups).toMatchObject([
      { type: 'follow', notificationsCount: 1, sampleAccountIds: [fans[2].id] },
      {
        type: 'favourite',
        notificationsCount: 3,
        statusId,
        sampleAccountIds: idsOf(fans).toReversed(),
      },
    ])
    expect(idsOf(found.accounts).toSorted()).toEqual(idsOf(fans).toSorted())
    expect(idsOf(found.statuses)).toEqual([statusId])
    const alone = await asAlice.v2.notifications.list({ types: ['favourite'], groupedTypes: ['follow'] })
    expect(alone.notificationGroups.map((group) => group.notificationsCount)).toEqual([1, 1, 1])
    // As in Mastodon a page ends in the middle of a group, of which the next ones show the rest.
    const pages = new Set<string>()
    for await (const page of asAlice.v2.notifications.list({ limit: 1 })) {
      expect(page.notificationGroups.length).toBeLessThanOrEqual(1)
      for (const { groupKey } of page.notificationGroups) pages.add(groupKey)
    }
    expect([...pages]).toEqual(found.notificationGroups.map(({ groupKey }) => groupKey))
  })

  it('are shown whole by their key, counted and dismissed', async () => {
    const { asAlice, fans } = await applause()
    expect(await asAlice.v2.notifications.unreadCount.fetch()).toEqual({ count: 2 })
    const { notificationGroups } = await asAlice.v2.notifications.list({ types: ['favourite'] })
    const one = asAlice.v2.notifications.$select(String(notificationGroups[0]?.groupKey))
    expect((await one.fetch()).notificationGroups).toMatchObject([{ notificationsCount: 3 }])
    expect(idsOf(await one.accounts.fetch())).toEqual(idsOf(fans).toReversed())
    await one.dismiss()
    const left = await asAlice.v2.notifications.list()
    expect(left.notificationGroups.map(({ type }) => type)).toEqual(['follow'])
    expect(await mastoFailure(one.fetch())).toMatchObject({ statusCode: 404 })
  })
})

describe('the notification policy with masto', () => {
  it('holds back private mentions of strangers, who then ask', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    expect(await asAlice.v2.notifications.policy.fetch()).toEqual(
      expect.objectContaining({ forPrivateMentions: 'filter', forNotFollowing: 'accept' }),
    )
    const sent = await asBob.v1.statuses.create({ status: `${alice.acct} psst`, visibility: 'direct' })
    expect(await asAlice.v1.notifications.list()).toEqual([])
    const { summary } = await asAlice.v2.notifications.policy.fetch()
    expect(summary).toEqual({ pendingRequestsCount: 1, pendingNotificationsCount: 1 })
    const [request, ...more] = await asAlice.v1.notifications.requests.list()
    expect(more).toEqual([])
    expect(request).toMatchObject({ account: { id: bob.id }, lastStatus: { id: sent.id } })
    expect(Number(request?.notificationsCount)).toBe(1)
    const one = asAlice.v1.notifications.requests.$select(String(request?.id))
    expect(await one.fetch()).toMatchObject({ account: { id: bob.id } })
    await one.accept()
    expect(await asAlice.v1.notifications.requests.merged.fetch()).toEqual({ merged: true })
    expect(await asAlice.v1.notifications.list()).toMatchObject([
      { type: 'mention', status: { id: sent.id } },
    ])
    expect(await asAlice.v1.notifications.requests.list()).toEqual([])
  })

  it('filters and drops senders the viewer does not follow, as chosen', async () => {
    const { alice, bob, asAlice, asBob } = await aliceAndBob(mastoOf)
    const policy = asAlice.v2.notifications.policy
    const list = () => asAlice.v1.notifications.list()
    expect(await policy.update({ forNotFollowing: 'filter' })).toMatchObject({ forNotFollowing: 'filter' })
    await asBob.v1.statuses.create({ status: `${alice.acct} hello` })
    expect(await list()).toEqual([])
    const [request] = await asAlice.v1.notifications.requests.list()
    await asAlice.v1.notifications.requests.$select(String(request?.id)).dismiss()
    expect(await asAlice.v1.notifications.requests.list()).toEqual([])

    await policy.update({ forNotFollowing: 'drop' })
    await asBob.v1.statuses.create({ status: `${alice.acct} hello again` })
    expect([await list(), await asAlice.v1.notifications.requests.list()]).toEqual([[], []])
    await asAlice.v1.accounts.$select(bob.id).follow()
    const { id } = await asBob.v1.statuses.create({ status: `${alice.acct} at last` })
    expect(await list()).toMatchObject([{ type: 'mention', status: { id } }])
  })
})
