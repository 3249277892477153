import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts, follows, roles, users } from '../../../src/db/schema'
import { as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { given, type TestAccount } from '../../support/given'
import { listening } from '../../support/given-filter'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

const policyPath = '/api/v2/notifications/policy'
const requestsPath = '/api/v1/notifications/requests'
const day = 86_400_000

const Listed = z.array(
  z.object({ type: z.string(), account: z.object({ id: z.string() }), filtered: z.boolean().optional() }),
)

const list = async (viewer: TestAccount, query = '') =>
  Listed.parse((await as(viewer).get(`/api/v1/notifications${query}`)).body)
const requests = async (viewer: TestAccount) => idsOf(await as(viewer).get(requestsPath))
const set = (viewer: TestAccount, patch: Readonly<Record<string, unknown>>) =>
  as(viewer).patch(policyPath, patch)

async function favourite(by: TestAccount, whose: TestAccount) {
  const { id } = await given.status({ by: whose })
  await as(by).post(`/api/v1/statuses/${id}/favourite`)
}

const direct = (by: TestAccount, to: TestAccount, more = {}) =>
  given.status({ by, text: `@${to.username} hush`, visibility: 'direct', ...more })

describe('the notification policy', () => {
  it('filters limited accounts and private mentions by default, and accepts the rest [T-411]', async () => {
    const answer = await as(await given.account()).get(policyPath)
    expect(answer.body).toEqual({
      for_not_following: 'accept',
      for_not_followers: 'accept',
      for_new_accounts: 'accept',
      for_private_mentions: 'filter',
      for_limited_accounts: 'filter',
      for_bots: 'accept',
      summary: { pending_requests_count: 0, pending_notifications_count: 0 },
    })
  })

  it.each(['patch', 'put'] as const)('changes only sent keys, by %s [T-412]', async (method) => {
    const alice = await given.account()
    await set(alice, { for_bots: 'drop' })
    const answer = await as(alice)[method](policyPath, {
      for_not_following: 'filter',
      for_private_mentions: '',
    })
    expect(answer.body).toMatchObject({
      for_not_following: 'filter',
      for_bots: 'drop',
      for_private_mentions: 'filter',
      for_not_followers: 'accept',
    })
  })

  it('the notification policy refuses other values [T-413]', async () => {
    const alice = await given.account()
    for (const bad of ['allow', 'true', 1, ['filter']])
      expect(await set(alice, { for_not_following: bad, for_bots: 'drop' })).toMatchObject({ status: 422 })
    expect((await as(alice).get(policyPath)).body).toMatchObject({ for_bots: 'accept' })
  })

  it('the notification policy has a boolean form [T-414]', async () => {
    const alice = await given.account()
    const path = '/api/v1/notifications/policy'
    expect((await as(alice).get(path)).body).toMatchObject({
      filter_private_mentions: true,
      filter_bots: false,
    })
    const changed = await as(alice).patch(path, {
      filter_not_followers: true,
      filter_private_mentions: 'false',
    })
    expect(changed.body).toMatchObject({ filter_not_followers: true, filter_private_mentions: false })
    const put = await as(alice).put(path, { filter_bots: true })
    expect(put).toMatchObject({ status: 200, body: { filter_not_followers: true, filter_bots: true } })
    await set(alice, { for_new_accounts: 'drop' })
    expect((await as(alice).get(path)).body).toMatchObject({ filter_new_accounts: true })
    expect((await as(alice).get(policyPath)).body).toMatchObject({
      for_not_followers: 'filter',
      for_private_mentions: 'accept',
      for_new_accounts: 'drop',
    })
  })
})

describe('notifications filtered by the policy', () => {
  const limit = (who: TestAccount, set: Partial<typeof accounts.$inferInsert>) =>
    context().db.update(accounts).set(set).where(eq(accounts.id, who.id))

  interface Kind {
    readonly key: string
    /** Makes `bob` one of these to `alice`. */
    readonly make: (bob: TestAccount, alice: TestAccount) => Promise<unknown>
    /** Makes him none. */
    readonly unmake: (bob: TestAccount, alice: TestAccount) => Promise<unknown>
  }
  const old = new Date(clock.now().getTime() - 400 * day)
  const kinds: readonly Kind[] = [
    {
      key: 'for_not_following',
      make: async () => undefined,
      unmake: (bob, alice) => relation.follow(alice, bob),
    },
    {
      key: 'for_not_followers',
      make: (bob, alice) => relation.follow(bob, alice),
      unmake: (bob) =>
        context().db.update(follows).set({ createdAt: old }).where(eq(follows.accountId, bob.id)),
    },
    {
      key: 'for_new_accounts',
      make: (bob) => limit(bob, { createdAt: clock.now() }),
      unmake: (bob) => limit(bob, { createdAt: old }),
    },
    {
      key: 'for_limited_accounts',
      make: (bob) => limit(bob, { silencedAt: clock.now() }),
      unmake: (bob) => limit(bob, { silencedAt: null }),
    },
    {
      key: 'for_bots',
      make: (bob) => limit(bob, { actorType: 'Service' }),
      unmake: (bob) => limit(bob, { actorType: 'Person' }),
    },
  ]

  for (const { key, make, unmake } of kinds)
    it(`${key}: filter holds the notification back, drop stores nothing, accept shows it [T-415]`, async () => {
      const [alice, bob] = [await given.account(), await given.account()]
      await make(bob, alice)
      await set(alice, { for_limited_accounts: 'accept', [key]: 'filter' })
      await favourite(bob, alice)
      expect(await list(alice)).toEqual([])
      expect(await list(alice, '?include_filtered=true')).toMatchObject([
        { type: 'favourite', filtered: true },
      ])
      expect(await requests(alice)).toHaveLength(1)
      await set(alice, { [key]: 'drop' })
      await favourite(bob, alice)
      expect(await list(alice, '?include_filtered=true')).toHaveLength(1)
      await set(alice, { [key]: 'accept' })
      await favourite(bob, alice)
      expect(await list(alice)).toHaveLength(1)
      await set(alice, { [key]: 'filter' })
      await unmake(bob, alice)
      await favourite(bob, alice)
      const shown = await list(alice)
      expect(shown).toHaveLength(2)
      expect(shown.map(({ filtered }) => filtered)).toEqual([undefined, undefined])
    })

  it('for_private_mentions: filters those of unknown accounts, not those of followed accounts and replies [T-416]', async () => {
    const [alice, stranger, friend] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(alice, friend)
    await direct(stranger, alice)
    expect(await list(alice)).toEqual([])
    expect(await requests(alice)).toHaveLength(1)
    await direct(friend, alice)
    await given.status({ by: stranger, text: `@${alice.username} hello` })
    expect(await list(alice)).toMatchObject([
      { account: { id: String(stranger.id) } },
      { account: { id: String(friend.id) } },
    ])
    const asked = await direct(alice, stranger)
    const answer = await direct(stranger, alice, { inReplyTo: asked })
    await direct(stranger, alice, { inReplyTo: answer })
    expect(await list(alice, '?types[]=mention')).toHaveLength(4)
  })

  it('for_private_mentions: filters an unknown account mentioned by a replied-to account as well [T-417]', async () => {
    const [alice, friend, stranger] = [await given.account(), await given.account(), await given.account()]
    const asked = await direct(alice, friend)
    const passedOn = await direct(friend, stranger, { inReplyTo: asked })
    await direct(stranger, alice, { inReplyTo: passedOn })
    expect(await list(alice)).toEqual([])
    expect(await requests(alice)).toHaveLength(1)
    await direct(friend, alice, { inReplyTo: asked })
    expect(await list(alice)).toMatchObject([{ account: { id: String(friend.id) } }])
  })

  it('never filters notifications about the account itself, and by staff above it', async () => {
    const [alice, bob, moderator] = [await given.account(), await given.account(), await given.account()]
    const { db } = context()
    const [role] = await db.select().from(roles).where(sql`name = 'Moderator'`)
    await db
      .update(users)
      .set({ roleId: role?.id ?? null })
      .where(eq(users.accountId, moderator.id))
    await set(alice, { for_not_following: 'drop' })
    await favourite(moderator, alice)
    await favourite(bob, alice)
    expect(await list(alice, '?include_filtered=true')).toMatchObject([
      { account: { id: String(moderator.id) } },
    ])
  })

  it('never filters posts of accounts subscribed to with notify', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob, { notify: true })
    await set(alice, { for_not_followers: 'drop' })
    await given.status({ by: bob })
    expect(await list(alice)).toMatchObject([{ type: 'status', account: { id: String(bob.id) } }])
  })

  it('leaves filtered notifications out of groups and counts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await set(alice, { for_not_following: 'filter' })
    await favourite(bob, alice)
    expect((await as(alice).get('/api/v2/notifications')).body).toMatchObject({ notification_groups: [] })
    expect((await as(alice).get('/api/v2/notifications?include_filtered=1')).body).toMatchObject({
      notification_groups: [{ type: 'favourite' }],
    })
    for (const path of ['/api/v1/notifications/unread_count', '/api/v2/notifications/unread_count'])
      expect((await as(alice).get(path)).body).toEqual({ count: 0 })
    expect((await as(alice).get(policyPath)).body).toMatchObject({
      summary: { pending_requests_count: 1, pending_notifications_count: 1 },
    })
  })
})

describe('notification requests', () => {
  async function heldBack() {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    await set(alice, { for_not_following: 'filter' })
    await favourite(bob, alice)
    await given.status({ by: bob, text: `@${alice.username} well?` })
    await as(carol).post(`/api/v1/accounts/${alice.id}/follow`)
    const [second = '', first = ''] = await requests(alice)
    return { alice, bob, carol, first, second }
  }

  it('notification requests show nothing of a status that the reader can no longer see', async () => {
    const { alice, bob, first } = await heldBack()
    const places = [requestsPath, `${requestsPath}/${first}`]
    const shown = async () => {
      const answers = await Promise.all(places.map((path) => as(alice).get(path)))
      return answers.map(({ body }) => JSON.stringify(body).includes('well?'))
    }
    expect(await shown()).toEqual([true, true])
    await as(bob).post(`/api/v1/accounts/${alice.id}/block`)
    expect(await shown()).toEqual([false, false])
  })

  it('notification requests list senders, with count and last status, the latest started first [T-418]', async () => {
    const { alice, bob, carol, first } = await heldBack()
    const answer = await as(alice).get(requestsPath)
    expect(answer.body).toMatchObject([
      { account: { id: String(carol.id) }, notifications_count: '1', last_status: null },
      {
        id: first,
        account: { id: String(bob.id) },
        notifications_count: '2',
        last_status: { account: { id: String(bob.id) } },
      },
    ])
    expect(answer.costs.trips).toBeLessThanOrEqual(2)
    expect((await as(alice).get(`${requestsPath}/${first}`)).body).toMatchObject({
      id: first,
      notifications_count: '2',
    })
  })

  it('notification requests have pages', async () => {
    const { alice, first, second } = await heldBack()
    const page = await as(alice).get(`${requestsPath}?limit=1`)
    expect(idsOf(page)).toEqual([second])
    expect(idsOf(await as(alice).get(page.links.next ?? ''))).toEqual([first])
    expect(idsOf(await as(alice).get(`${requestsPath}?min_id=${first}`))).toEqual([second])
  })

  it('accepting moves waiting notifications into the list, and later ones too [T-419]', async () => {
    const { alice, bob, first, second } = await heldBack()
    expect(await as(alice).post(`${requestsPath}/${first}/accept`)).toMatchObject({ status: 200, body: {} })
    expect((await list(alice)).map(({ type }) => type)).toEqual(['mention', 'favourite'])
    expect(await requests(alice)).toEqual([second])
    await favourite(bob, alice)
    expect(await list(alice)).toHaveLength(3)
    expect((await as(alice).get(`${requestsPath}/merged`)).body).toEqual({ merged: true })
  })

  it('accepting one or several sends notifications_merged to connected clients', async () => {
    const { alice, bob, first, second } = await heldBack()
    const { published, options } = listening()
    await as(alice).post(`${requestsPath}/${first}/accept`, {}, options)
    await as(alice).post(`${requestsPath}/accept`, { id: [second] }, options)
    const merged = { kind: 'notifications.merged', accountId: alice.id }
    expect(published).toEqual([merged, merged])
    await as(alice).post(`${requestsPath}/accept`, { id: ['1'] }, options)
    await as(bob).post(`${requestsPath}/${first}/accept`, {}, options)
    expect(published).toHaveLength(2)
  })

  it('notification requests are in the list of their sender’s interactions, flagged', async () => {
    const { alice, bob } = await heldBack()
    const held = await list(alice, `?account_id=${bob.id}`)
    expect(held.length).toBeGreaterThan(0)
    expect(held.map(({ filtered }) => filtered)).not.toContain(undefined)
    expect(await list(alice)).toEqual([])
  })

  it('dismissing deletes waiting notifications, and later ones wait again [T-420]', async () => {
    const { alice, bob, first, second } = await heldBack()
    expect(await as(alice).post(`${requestsPath}/${first}/dismiss`)).toMatchObject({ status: 200, body: {} })
    expect(await requests(alice)).toEqual([second])
    expect(await list(alice, '?include_filtered=true')).toHaveLength(1)
    await favourite(bob, alice)
    expect(await list(alice)).toEqual([])
    expect(await requests(alice)).toHaveLength(2)
  })

  it('several at once: existing ones are processed [T-421]', async () => {
    const { alice, first, second } = await heldBack()
    expect(await as(alice).post(`${requestsPath}/dismiss`, { id: [second, '1'] })).toMatchObject({ body: {} })
    expect(await as(alice).post(`${requestsPath}/accept`, { id: [first, 'x'] })).toMatchObject({ body: {} })
    expect(await requests(alice)).toEqual([])
    expect(await list(alice)).toHaveLength(2)
  })

  it('notification requests are 404 for other accounts, which change nothing [T-422]', async () => {
    const { alice, bob, first } = await heldBack()
    for (const id of [first, '1', 'x']) {
      expect(await as(bob).get(`${requestsPath}/${id}`)).toMatchObject({ status: 404 })
      for (const interaction of ['accept', 'dismiss'])
        expect(await as(bob).post(`${requestsPath}/${id}/${interaction}`)).toMatchObject({ status: 404 })
    }
    await as(bob).post(`${requestsPath}/dismiss`, { id: [first] })
    expect(await requests(alice)).toHaveLength(2)
  })

  it('notification requests are hidden for accounts the viewer blocks', async () => {
    const { alice, bob, second } = await heldBack()
    await as(alice).post(`/api/v1/accounts/${bob.id}/block`)
    expect(await requests(alice)).toEqual([second])
  })
})
