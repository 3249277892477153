import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { GroupedNotificationsResults } from '../../src/contract/entities/notification'
import { Report } from '../../src/contract/entities/report'
import { accounts } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { assetVersions } from '../../src/lib/asset-versions'
import { defaultAvatarUrl } from '../../src/view/urls'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { fediverse } from '../support/fediverse'
import { given, type TestAccount } from '../support/given'
import { direct } from '../support/given-direct'
import { relation } from '../support/given-relationships'
import { storedCard, storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

/** Routes Mastodon has had and dropped, for the apps that still ask for them. */

const missing = { status: 404, body: { error: 'Record not found' } }

describe('POST /api/v1/follows', () => {
  const path = '/api/v1/follows'
  const follows = async (viewer: TestAccount, id: number | string) =>
    (await as(viewer).get(`/api/v1/accounts/relationships?id[]=${id}`)).body

  it.each([
    ['a name', ({ username }: TestAccount) => username],
    ['a handle', ({ username }: TestAccount) => `@${username}@fieldfare.test`],
    ['an acct: address', ({ username }: TestAccount) => `acct:${username}@fieldfare.test`],
  ])('follows a local account by %s and returns the account', async (_what, uri) => {
    const [alice, bob] = [await given.account(), await given.account()]
    const answer = await as(alice).post(path, { uri: uri(bob) })
    expect(answer).toMatchObject({ status: 200, body: { id: String(bob.id), acct: bob.username } })
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(await follows(alice, bob.id)).toMatchObject([{ following: true }])
  })

  it('fetches an unknown account from its server', async () => {
    const [alice, stranger] = [await given.account(), await fediverse.actor()]
    const answer = await as(alice).post(path, { uri: `${stranger.username}@${stranger.host}` })
    expect(answer).toMatchObject({ status: 200, body: { acct: `${stranger.username}@${stranger.host}` } })
    const { id } = z.object({ id: z.string() }).parse(answer.body)
    expect(await follows(alice, id)).toMatchObject([{ requested: true }])
  })

  it('refuses what follow refuses, and unknown accounts', async () => {
    const alice = await given.account()
    expect(await as(alice).post(path, { uri: alice.username })).toMatchObject({
      status: 403,
      body: { error: 'Following your own account is not allowed' },
    })
    for (const uri of ['nobody_at_all', 'not a handle', '@@', `x@${'y'.repeat(300)}.test`])
      expect(await as(alice).post(path, { uri })).toMatchObject(missing)
    expect((await as(alice).post(path, {})).status).toBe(400)
  })
})

describe('GET /api/v1/timelines/direct', () => {
  const path = '/api/v1/timelines/direct'
  const read = async (viewer: TestAccount, query = '') => idsOf(await as(viewer).get(`${path}${query}`))

  it('shows sent and received statuses, newest first, and nothing else', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const first = await direct(alice, [bob])
    await given.status({ by: alice, visibility: 'private', text: `@${bob.username} hello` })
    const answer = await direct(bob, [alice], { inReplyTo: first })
    const other = await direct(carol, [alice])
    const between = await direct(bob, [carol])
    const toMyself = await direct(alice, [])
    expect(await read(alice)).toEqual([toMyself.id, other.id, answer.id, first.id])
    expect(await read(bob)).toEqual([between.id, answer.id, first.id])
    await relation.mute(alice, carol)
    expect(await read(alice)).toEqual([toMyself.id, answer.id, first.id])
    expect(await read(await given.account())).toEqual([])
  })

  it('hides posts of a third account in the same thread from others', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const start = await direct(alice, [bob])
    const aside = await direct(bob, [carol], { inReplyTo: start })
    expect(await read(alice)).toEqual([start.id])
    expect(await read(carol)).toEqual([aside.id])
  })

  it('GET /api/v1/timelines/direct has pages in both directions through many conversations, in one round trip and few rows', async () => {
    const alice = await given.account()
    const sent: string[] = []
    const others = [await given.account(), await given.account(), await given.account()]
    for (let round = 0; round < 5; round += 1)
      for (const other of others) sent.push((await direct(other, [alice], { text: `${round}` })).id)
    const newestFirst = sent.toReversed()
    const pages: (readonly string[])[] = []
    for (let next: string | undefined = `${path}?limit=4`; next !== undefined; ) {
      const answer = await as(alice).get(next)
      expect(answer.costs.trips).toBeLessThanOrEqual(1)
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
      pages.push(idsOf(answer))
      next = answer.links.next
    }
    expect(pages.flat()).toEqual(newestFirst)
    expect(await read(alice, `?limit=2&min_id=${sent[3]}`)).toEqual([sent[5], sent[4]])
    expect(await read(alice, `?limit=2&since_id=${sent[3]}`)).toEqual([sent[14], sent[13]])
    expect(await read(alice, `?limit=2&max_id=${sent[3]}`)).toEqual([sent[2], sent[1]])
  })
})

/** Conversations of `owner` with `other`, of `length` direct statuses each, all at once. */
async function storeConversations(owner: TestAccount, other: TestAccount, count: number, length: number) {
  const { db, ids } = context()
  const threads = Array.from({ length: count }, () => Array.from({ length }, () => ids.next()))
  const entries = threads.flatMap((thread) => thread.map((id) => ({ id, thread: thread[0] })))
  const created = clock.now().getTime()
  await db.run(sql`insert into statuses (id, account_id, local, visibility, content, conversation_id, created_at)
    select item.value ->> 'id', ${other.id}, 1, 'direct', '', item.value ->> 'thread', ${created}
    from json_each(${JSON.stringify(entries)}) item`)
  await db.run(sql`insert into status_mentions (status_id, account_id)
    select item.value ->> 'id', ${owner.id} from json_each(${JSON.stringify(entries)}) item`)
  await db.run(sql`insert into conversations (account_id, id, conversation_id, participants, last_status_id, unread)
    select ${owner.id}, item.value ->> 0, item.value ->> 0, json_array(${other.id}),
      item.value ->> ${`$[${length - 1}]`}, 0
    from json_each(${JSON.stringify(threads)}) item`)
  return threads.flat()
}

describe('the cost of direct statuses', () => {
  it('the cost of direct statuses grows with the page at first, and is bounded for any number of posts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const all = await storeConversations(alice, bob, 300, 30)
    const path = '/api/v1/timelines/direct?limit=20'
    const first = await as(alice).get(path)
    expect(idsOf(first)).toEqual(all.slice(-20).toReversed().map(String))
    expect(first.costs.rowsRead).toBeLessThanOrEqual(2_000)
    const middle = await as(alice).get(`${path}&max_id=${all[8_000]}`)
    expect(middle.body).toHaveLength(20)
    expect(middle.costs.rowsRead).toBeLessThanOrEqual(2_000)
  })
})

describe('GET /api/v1/statuses/:id/card', () => {
  it('returns the preview of a status, or an empty object', async () => {
    const [alice, stranger] = [await given.account(), await given.account()]
    const linked = await storedStatus({ accountId: alice.id, card: storedCard })
    const bare = await storedStatus({ accountId: alice.id })
    const hidden = await storedStatus({ accountId: alice.id, card: storedCard, visibility: 'private' })
    const card = (id: number) => `/api/v1/statuses/${id}/card`
    const whole = z
      .object({ card: z.looseObject({ url: z.string() }) })
      .parse((await anonymous.get(`/api/v1/statuses/${linked}`)).body)
    expect((await anonymous.get(card(linked))).body).toEqual(whole.card)
    expect(await anonymous.get(card(bare))).toMatchObject({ status: 200, body: {} })
    expect(await as(stranger).get(card(hidden))).toMatchObject(missing)
    expect((await as(alice).get(card(hidden))).body).toMatchObject({ url: storedCard.url })
  })
})

describe('notifications', () => {
  let alice: TestAccount
  let bob: TestAccount
  beforeAll(async () => {
    alice = await given.account()
    bob = await given.account()
  })
  const favourited = async () => {
    const { id } = await given.status({ by: alice })
    await as(bob).post(`/api/v1/statuses/${id}/favourite`)
    return idsOf(await as(alice).get('/api/v1/notifications?limit=1'))[0] ?? ''
  }

  it('dismisses notifications by POST /api/v1/notifications/dismiss with an id', async () => {
    const id = await favourited()
    expect(await as(bob).post('/api/v1/notifications/dismiss', { id })).toMatchObject(missing)
    expect(await as(alice).post('/api/v1/notifications/dismiss', { id })).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await as(alice).get(`/api/v1/notifications/${id}`)).toMatchObject(missing)
    expect(await as(alice).post('/api/v1/notifications/dismiss', {})).toMatchObject(missing)
  })

  it('groups notifications under /api/v2_alpha like under /api/v2', async () => {
    await favourited()
    const read = async (prefix: string, rest = '') =>
      (await as(alice).get(`${prefix}/notifications${rest}`)).body
    const now = GroupedNotificationsResults.parse(await read('/api/v2'))
    expect(await read('/api/v2_alpha')).toEqual(now)
    expect(await read('/api/v2_alpha', '/unread_count')).toEqual(await read('/api/v2', '/unread_count'))
    const key = now.notification_groups[0]?.group_key ?? ''
    expect(await read('/api/v2_alpha', `/${key}`)).toEqual(await read('/api/v2', `/${key}`))
    expect((await as(alice).post(`/api/v2_alpha/notifications/${key}/dismiss`)).status).toBe(200)
    expect(await as(alice).get(`/api/v2/notifications/${key}`)).toMatchObject(missing)
  })
})

describe('GET /api/v1/reports', () => {
  it('lists the own reports, newest first, by pages', async () => {
    const [alice, bob, carol, dave] = await given.accounts(4)
    if (alice === undefined || bob === undefined || carol === undefined || dave === undefined)
      throw new Error('Four accounts are made')
    const made: string[] = []
    for (const target of [dave, carol, bob]) {
      const answer = await as(alice).post('/api/v1/reports', { account_id: target.id, comment: 'Loud' })
      made.push(Report.parse(answer.body).id)
    }
    await as(bob).post('/api/v1/reports', { account_id: alice.id })
    const first = await as(alice).get('/api/v1/reports?limit=2')
    expect(first.body).toMatchObject([
      { id: made[2], comment: 'Loud', target_account: { id: String(bob.id) } },
      { id: made[1], target_account: { id: String(carol.id) } },
    ])
    expect(first.costs.trips).toBeLessThanOrEqual(1)
    expect(idsOf(await as(alice).get(first.links.next ?? ''))).toEqual([made[0]])
    expect(await as(carol).get('/api/v1/reports')).toMatchObject({ status: 200, body: [] })
  })
})

describe('proofs for Keybase', () => {
  it('proofs for Keybase are described as Keybase expects, with addresses of this server', async () => {
    await saveSettings(context(), operator, { contactEmail: 'owner@fieldfare.test' })
    const { body } = await anonymous.get('/.well-known/keybase-proof-config')
    await saveSettings(context(), operator, { contactEmail: null })
    expect(body).toMatchObject({
      version: 1,
      domain: 'fieldfare.test',
      display_name: 'Fieldfare',
      username: { min: 1, max: 30 },
      profile_url: 'https://fieldfare.test/@%{username}',
      check_url: 'https://fieldfare.test/api/proofs?provider=keybase&username=%{username}',
      check_path: ['signatures'],
      avatar_path: ['avatar'],
      contact: ['owner@fieldfare.test'],
    })
  })

  it('proofs for Keybase name existing addresses: pages for the member, the picture of each kind and the proofs', async () => {
    const { member, browser } = await signedIn()
    const { body } = await anonymous.get('/.well-known/keybase-proof-config')
    const named = JSON.stringify(body)
      .match(/https:\/\/[^"]+/g)
      ?.map((address) => address.replaceAll('%{username}', member.username).replaceAll(/%\{\w+\}/g, 'x'))
    expect(named?.length).toBeGreaterThan(3)
    for (const address of named ?? []) {
      const { pathname, search } = new URL(address)
      if (pathname.startsWith('/assets/')) {
        expect(Object.keys(assetVersions)).toContain(pathname.slice('/assets/'.length))
        continue
      }
      const page = await browser.get(pathname + search)
      const target = page.location === null ? page : await browser.get(page.location)
      expect([address, target.status]).toEqual([address, 200])
    }
  })

  it('proofs for Keybase are empty for local accounts, and 404 for others [T-1006]', async () => {
    const alice = await given.account()
    const proofs = (provider: string, username: string) =>
      anonymous.get(`/api/proofs?${new URLSearchParams({ provider, username })}`)
    expect(await proofs('keybase', alice.username)).toMatchObject({
      status: 200,
      body: { avatar: defaultAvatarUrl(context().config), signatures: [] },
    })
    expect(await proofs('keybase', alice.username.toUpperCase())).toMatchObject({ status: 200 })
    for (const [provider, username] of [
      ['keybase', 'nobody_at_all'],
      ['keybase', 'no name'],
      ['github', alice.username],
      ['', ''],
    ] as const)
      expect(await proofs(provider, username)).toMatchObject(missing)
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    expect(await proofs('keybase', alice.username)).toMatchObject(missing)
  })
})

describe('endpoints that are not offered', () => {
  it('does not offer subscriptions by mail: no account accepts them [T-1007]', async () => {
    const alice = await given.account()
    for (const id of [alice.id, 1])
      expect(
        await anonymous.post(`/api/v1/accounts/${id}/email_subscriptions`, { email: 'reader@mail.test' }),
      ).toMatchObject(missing)
  })

  it('does not offer the search of before 2.4', async () => {
    const alice = await given.account()
    expect(await as(alice).get('/api/v1/search?q=bird')).toMatchObject({
      status: 404,
      body: { error: 'The page you are looking for is not here' },
    })
  })
})
