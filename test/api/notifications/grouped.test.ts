import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { blocks, mutes } from '../../../src/db/schema'
import { as } from '../../support/as'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedNotification, storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const path = '/api/v2/notifications'

const Groups = z.object({
  accounts: z.array(z.object({ id: z.string() })),
  partial_accounts: z.array(z.object({ id: z.string() })).optional(),
  statuses: z.array(z.object({ id: z.string() })),
  notification_groups: z.array(
    z.object({
      group_key: z.string(),
      notifications_count: z.number(),
      sample_account_ids: z.array(z.string()),
    }),
  ),
})

const read = async (viewer: TestAccount, query = '') =>
  Groups.parse((await as(viewer).get(`${path}${query}`)).body)
const keysOf = async (viewer: TestAccount, query = '') =>
  (await read(viewer, query)).notification_groups.map(({ group_key }) => group_key)

/** Notifies of a favourite by each account, in order, under one group key. */
async function favourites(alice: TestAccount, people: readonly { readonly id: number }[]) {
  const statusId = await storedStatus({ accountId: alice.id })
  const key = keyAt('favourite', statusId)
  const ids = []
  for (const { id: fromAccountId } of people)
    ids.push(
      await storedNotification({
        accountId: alice.id,
        type: 'favourite',
        fromAccountId,
        statusId,
        groupKey: key,
      }),
    )
  return { statusId, key, ids }
}

const keyAt = (type: string, statusId: number) =>
  `${type}-${statusId}-${Math.floor(clock.now().getTime() / (12 * 3_600_000))}`

describe('GET v2 notifications', () => {
  it('returns three empty arrays where there are none [T-393]', async () => {
    const answer = await as(await given.account()).get(path)
    expect(answer.body).toEqual({ accounts: [], statuses: [], notification_groups: [] })
    expect(answer.headers.get('link')).toBeNull()
  })

  it('returns accounts, statuses and groups, each entity once [T-394]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { statusId, key, ids } = await favourites(alice, [bob, carol])
    const reblog = await storedNotification({
      accountId: alice.id,
      type: 'reblog',
      fromAccountId: bob.id,
      statusId,
    })
    const mention = await storedStatus({ accountId: carol.id })
    const told = await storedNotification({
      accountId: alice.id,
      type: 'mention',
      fromAccountId: carol.id,
      statusId: mention,
    })
    const answer = await as(alice).get(path)
    expect(answer.body).toMatchObject({
      accounts: [{ id: String(carol.id) }, { id: String(bob.id) }],
      statuses: [{ id: String(mention) }, { id: String(statusId) }],
      notification_groups: [
        {
          group_key: `ungrouped-${told}`,
          type: 'mention',
          status_id: String(mention),
          notifications_count: 1,
        },
        { group_key: `ungrouped-${reblog}`, type: 'reblog', sample_account_ids: [String(bob.id)] },
        {
          group_key: key,
          type: 'favourite',
          notifications_count: 2,
          status_id: String(statusId),
          most_recent_notification_id: ids[1],
          page_max_id: String(ids[1]),
          page_min_id: String(ids[0]),
          sample_account_ids: [String(carol.id), String(bob.id)],
          latest_page_notification_at: expect.any(String),
        },
      ],
    })
    expectCosts(answer.costs, { trips: 2, rowsWritten: 0 })
  })

  it('groups real events: favourites, reblogs and follows of the same [T-395]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    for (let n = 0; n < 10; n += 1) {
      const fan = await given.account()
      await as(fan).post(`/api/v1/statuses/${id}/favourite`)
      if (n < 2) await as(fan).post(`/api/v1/statuses/${id}/reblog`)
      if (n < 3) await as(fan).post(`/api/v1/accounts/${alice.id}/follow`)
    }
    const { notification_groups: groups } = await read(alice)
    const counts = groups.map(({ notifications_count: count, sample_account_ids: named }) => [
      count,
      named.length,
    ])
    expect(counts).toEqual([
      [10, 8],
      [3, 3],
      [2, 2],
    ])
  })

  it('groups only grouped_types[] [T-396]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { ids, key } = await favourites(alice, [bob, carol])
    const alone = ids.toReversed().map((id) => `ungrouped-${id}`)
    expect(await keysOf(alice, '?grouped_types[]=reblog')).toEqual(alone)
    expect(await keysOf(alice, '?grouped_types[]=mention')).toEqual(alone)
    expect(await keysOf(alice, '?grouped_types[]=favourite')).toEqual([key])
  })

  it('pages in both directions by groups, and shows none twice on a page', async () => {
    const alice = await given.account()
    const people = await given.accounts(3)
    const made = []
    for (let n = 0; n < 5; n += 1) made.unshift(await favourites(alice, people))
    const all = made.map(({ key }) => key)
    expect(await keysOf(alice, '?limit=10')).toEqual(all)
    const first = await as(alice).get(`${path}?limit=2`)
    expect(Groups.parse(first.body).notification_groups.map(({ group_key }) => group_key)).toEqual(
      all.slice(0, 2),
    )
    const next = new URL(first.links.next ?? '', 'https://fieldfare.test').search
    expect(new URLSearchParams(next).get('max_id')).toBe(String(made[1]?.ids.at(-1)))
    // Older members of the last group of a page begin the next page.
    const second = await read(alice, next)
    expect(
      second.notification_groups.map(({ group_key, notifications_count }) => [
        group_key,
        notifications_count,
      ]),
    ).toEqual([
      [all[1], 2],
      [all[2], 3],
    ])
    const oldest = made[4]?.ids[2]
    const upwards = await read(alice, `?limit=2&min_id=${oldest}`)
    expect(upwards.notification_groups.map(({ group_key }) => group_key)).toEqual([all[2], all[3]])
    expect(await keysOf(alice, `?since_id=${made[1]?.ids.at(-1)}`)).toEqual([all[0]])
  })

  it('returns each new favourite to a client that polls by rel=prev', async () => {
    const alice = await given.account()
    const { statusId, key } = await favourites(alice, await given.accounts(1))
    const met = new Set<string>()
    let prev = ''
    const poll = async () => {
      const answer = await as(alice).get(prev === '' ? path : prev)
      prev = answer.links.prev ?? prev
      const { accounts, notification_groups: groups } = Groups.parse(answer.body)
      for (const { id } of accounts) met.add(id)
      return groups.map(({ group_key, notifications_count: count }) => [group_key, count])
    }
    expect(await poll()).toEqual([[key, 1]])
    for (const count of [3, 1]) {
      const fans = await given.accounts(count)
      const row = { accountId: alice.id, type: 'favourite', statusId, groupKey: key } as const
      for (const fan of fans) await storedNotification({ ...row, fromAccountId: fan.id })
      expect(await poll()).toEqual([[key, count === 3 ? 4 : 5]])
      for (const fan of fans) expect(met).toContain(String(fan.id))
      expect(await poll()).toEqual([])
    }
  })

  it('reads backwards no further than a full page, and than max_id', async () => {
    const alice = await given.account()
    const people = await given.accounts(3)
    const [older, newer] = [await favourites(alice, people), await favourites(alice, people)]
    const below = await as(alice).get(`${path}?limit=1&min_id=${older.ids[0]}`)
    expect(below.body).toMatchObject({
      notification_groups: [{ group_key: older.key, most_recent_notification_id: older.ids[1] }],
    })
    expect(below.links.prev).toContain(`min_id=${older.ids[1]}`)
    const bounded = await read(alice, `?min_id=${older.ids[0]}&max_id=${newer.ids[2]}`)
    expect(
      bounded.notification_groups.map(({ group_key, notifications_count: count }) => [group_key, count]),
    ).toEqual([
      [newer.key, 2],
      [older.key, 3],
    ])
  })

  it('polling continues after accounts the viewer hides', async () => {
    const alice = await given.account()
    const [blocked, bob] = [await given.account(), await given.account()]
    await relation.block(alice, blocked)
    const { ids } = await favourites(alice, [bob])
    const hidden = await favourites(alice, [blocked])
    const answer = await as(alice).get(`${path}?min_id=${ids[0]}`)
    expect(answer.body).toMatchObject({ notification_groups: [] })
    expect(answer.links.prev).toContain(`min_id=${hidden.ids[0]}`)
    const newest = await as(alice).get(path)
    expect(newest.body).toMatchObject({ notification_groups: [{ notifications_count: 1 }] })
    expect(newest.links.prev).toContain(`min_id=${hidden.ids[0]}`)
  })

  it('counts earlier notifications of a group as well', async () => {
    const alice = await given.account()
    const [bob, carol, dave] = [await given.account(), await given.account(), await given.account()]
    const { statusId, key, ids } = await favourites(alice, [bob])
    const between = await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: dave.id })
    const row = { accountId: alice.id, type: 'favourite', statusId, groupKey: key } as const
    const newest = await storedNotification({ ...row, fromAccountId: carol.id })
    const { body } = await as(alice).get(`${path}?limit=1`)
    expect(body).toMatchObject({
      notification_groups: [
        {
          group_key: key,
          notifications_count: 2,
          page_min_id: String(newest),
          page_max_id: String(newest),
          sample_account_ids: [String(carol.id), String(bob.id)],
        },
      ],
    })
    expect(await keysOf(alice, `?max_id=${newest}`)).toEqual([`ungrouped-${between}`, key])
    expect(ids).toHaveLength(1)
  })

  it('expand_accounts=partial_avatars keeps the newest account of each group whole [T-397]', async () => {
    const alice = await given.account()
    const people = await given.accounts(3)
    await favourites(alice, people)
    const ids = people.map(({ id }) => String(id))
    const found = await read(alice, '?expand_accounts=partial_avatars')
    expect(found.accounts.map(({ id }) => id)).toEqual([ids[2]])
    expect(found.partial_accounts?.map(({ id }) => id)).toEqual([ids[1], ids[0]])
    expect((await read(alice, '?expand_accounts=full')).accounts).toHaveLength(3)
    expect(await as(alice).get(`${path}?expand_accounts=all`)).toMatchObject({
      status: 400,
      body: {
        error: "Invalid value for 'expand_accounts': 'all', allowed values are 'full' and 'partial_avatars'",
      },
    })
  })

  it('filters by types[], exclude_types[] and account_id', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { key } = await favourites(alice, [bob, carol])
    const follow = await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: bob.id })
    expect(await keysOf(alice, '?types[]=favourite')).toEqual([key])
    expect(await keysOf(alice, '?exclude_types[]=favourite')).toEqual([`ungrouped-${follow}`])
    expect(await keysOf(alice, '?types[]=nonsense')).toEqual([])
    const byCarol = await read(alice, `?account_id=${carol.id}`)
    expect(byCarol.notification_groups).toMatchObject([{ group_key: key, notifications_count: 1 }])
  })

  it('leaves out accounts the viewer hides, in samples and counts too', async () => {
    const alice = await given.account()
    const [muted, blocked, bob] = [await given.account(), await given.account(), await given.account()]
    await favourites(alice, [muted, blocked, bob])
    const row = (target: TestAccount) => ({
      id: context().ids.next(),
      accountId: alice.id,
      targetAccountId: target.id,
      createdAt: clock.now(),
    })
    await context().db.insert(mutes).values(row(muted))
    await context().db.insert(blocks).values(row(blocked))
    const found = await read(alice)
    expect(found.accounts.map(({ id }) => id)).toEqual([String(bob.id)])
    expect(found.notification_groups).toMatchObject([
      { notifications_count: 1, sample_account_ids: [String(bob.id)] },
    ])
  })
})

describe('a single group', () => {
  it('a single group is shown by its key, with one notification or several, without page limits [T-398]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { key, ids, statusId } = await favourites(alice, [bob, carol])
    const group = await as(alice).get(`${path}/${key}`)
    expect(group.body).toMatchObject({
      statuses: [{ id: String(statusId) }],
      notification_groups: [{ group_key: key, notifications_count: 2 }],
    })
    expect(JSON.stringify(group.body)).not.toContain('page_m')
    const alone = await as(alice).get(`${path}/ungrouped-${ids[0]}`)
    expect(alone.body).toMatchObject({
      notification_groups: [{ notifications_count: 1 }],
      accounts: [{ id: String(bob.id) }],
    })
  })

  it('a single group is 404 for others, and for invalid keys [T-399]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { key, ids } = await favourites(alice, [bob])
    for (const asked of [
      key,
      `ungrouped-${ids[0]}`,
      'favourite-1-2',
      'x',
      'ungrouped-',
      'follow-99999999999',
      '%00',
    ])
      expect(await as(bob).get(`${path}/${asked}`)).toMatchObject({
        status: 404,
        body: { error: 'Record not found' },
      })
  })

  it('a single group lists its accounts, newest first, in pages [T-400]', async () => {
    const alice = await given.account()
    const people = await given.accounts(3)
    const { key } = await favourites(alice, people)
    const [first, second, third] = people.map(({ id }) => String(id))
    const page = await as(alice).get(`${path}/${key}/accounts?limit=2`)
    expect(page.body).toMatchObject([{ id: third }, { id: second }])
    const rest = await as(alice).get(page.links.next ?? '')
    expect(rest.body).toMatchObject([{ id: first }])
    expect((await as(await given.account()).get(`${path}/${key}/accounts`)).body).toEqual([])
  })

  it('a single group is dismissed as a whole, and keys of others and unknown ones are no error [T-401]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { key } = await favourites(alice, [bob, carol])
    const kept = await favourites(alice, [bob])
    for (const asked of [key, 'x', 'ungrouped-1'])
      expect(await as(bob).post(`${path}/${asked}/dismiss`)).toMatchObject({ status: 200, body: {} })
    expect(await keysOf(alice)).toEqual([kept.key, key])
    await as(alice).post(`${path}/${key}/dismiss`)
    expect(await keysOf(alice)).toEqual([kept.key])
    await as(alice).post(`${path}/clear`)
    expect(await keysOf(alice)).toEqual([])
  })
})

describe('GET v2 unread_count', () => {
  const count = async (viewer: TestAccount, query = '') =>
    (await as(viewer).get(`${path}/unread_count${query}`)).body

  it('counts groups newer than the marker; grouped_types changes the number [T-402]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { ids } = await favourites(alice, [bob, carol])
    await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: bob.id })
    expect(await count(alice)).toEqual({ count: 2 })
    expect(await count(alice, '?grouped_types[]=follow')).toEqual({ count: 3 })
    expect(await count(alice, '?limit=1')).toEqual({ count: 1 })
    expect(await count(alice, '?types[]=follow')).toEqual({ count: 1 })
    await as(alice).post('/api/v1/markers', { notifications: { last_read_id: String(ids[1]) } })
    expect(await count(alice)).toEqual({ count: 1 })
  })
})

describe('removing several notifications', () => {
  it('deletes notifications of the viewer with DELETE', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    const ids = []
    for (let n = 0; n < 3; n += 1)
      ids.push(
        await storedNotification({
          accountId: alice.id,
          type: 'follow',
          fromAccountId: (await given.account()).id,
        }),
      )
    const foreign = await storedNotification({ accountId: bob.id, type: 'follow', fromAccountId: alice.id })
    const query = [ids[0], ids[1], foreign, 1].map((id) => `ids[]=${id}`).join('&')
    expect(await as(alice).delete(`/api/v1/notifications/destroy_multiple?${query}`)).toMatchObject({
      body: {},
    })
    expect(await keysOf(alice)).toEqual([`ungrouped-${ids[2]}`])
    expect(await keysOf(bob)).toEqual([`ungrouped-${foreign}`])
    expect(await as(bob).delete(`/api/v1/notifications/${ids[2]}`)).toMatchObject({ status: 404 })
    expect(await as(alice).delete(`/api/v1/notifications/${ids[2]}`)).toMatchObject({ status: 200, body: {} })
  })
})
