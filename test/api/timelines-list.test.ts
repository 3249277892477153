import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDomainBlocks, accounts, listEntries } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { given, type TestAccount } from '../support/given'
import { storedList, storedListOfFollowed } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { clock, context, settleLateWork } from '../support/test-app'

const feedOf = (list: number) => `/api/v1/timelines/list/${list}`
const membersOf = (list: number) => `/api/v1/lists/${list}/accounts`

async function shownTo(who: TestAccount, list: number): Promise<readonly string[]> {
  await settleLateWork()
  return idsOf(await as(who).get(feedOf(list)))
}

async function homeOf(who: TestAccount): Promise<readonly string[]> {
  await settleLateWork()
  return idsOf(await as(who).get('/api/v1/timelines/home'))
}

async function entries(listId: number, ...statusIds: readonly number[]): Promise<void> {
  await context()
    .db.insert(listEntries)
    .values(statusIds.map((statusId) => ({ listId, statusId })))
}

describe('GET timelines/list/:id', () => {
  it('own → 200 with posts of its members, newest first, in one round trip [T-603]', async () => {
    const [owner, author, other] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(owner, other)
    const list = await storedListOfFollowed({ of: owner, members: [author] })
    const first = await given.status({ by: author })
    await given.status({ by: other })
    const second = await given.status({ by: author, visibility: 'private' })
    await given.status({ by: author, visibility: 'direct', text: `@${owner.username}` })
    const answer = await as(owner).get(feedOf(list))
    expect(idsOf(answer)).toEqual([second.id, first.id])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  })

  it("someone else's → 404; app token → 422; no token → 401 [T-604]", async () => {
    const [owner, author] = [await given.account(), await given.account()]
    const list = await storedListOfFollowed({ of: owner, members: [author] })
    await given.status({ by: author })
    expect((await as(author).get(feedOf(list))).status).toBe(404)
    expect((await as(owner).get(feedOf(1))).status).toBe(404)
    const app = await given.token({ scopes: 'read' })
    expect((await as(app).get(feedOf(list))).status).toBe(422)
    expect((await anonymous.get(feedOf(list))).status).toBe(401)
  })

  it('pages with max_id and min_id', async () => {
    const [owner, author] = [await given.account(), await given.account()]
    const list = await storedListOfFollowed({ of: owner, members: [author] })
    const made: number[] = []
    for (let index = 0; index < 5; index += 1) made.push(await storedStatus({ accountId: author.id }))
    await entries(list, ...made)
    const newest = made.map(String).toReversed()
    const first = await as(owner).get(`${feedOf(list)}?limit=2`)
    expect(idsOf(first)).toEqual(newest.slice(0, 2))
    const second = await as(owner).get(first.links.next ?? '')
    expect(idsOf(second)).toEqual(newest.slice(2, 4))
    expect(idsOf(await as(owner).get(second.links.prev ?? ''))).toEqual(newest.slice(0, 2))
  })

  it('leaves out hidden and suspended accounts, also by reblog, whatever is in the feed', async () => {
    const [owner, friend] = [await given.account(), await given.account()]
    const people = { blocked: await given.account(), muted: await given.account() }
    const [suspended, blocking] = [await given.account(), await given.account()]
    const far = await given.remoteAccount({ domain: 'unlisted.test' })
    await relation.block(owner, people.blocked)
    await relation.mute(owner, people.muted)
    await relation.block(blocking, owner)
    const { db } = context()
    await db.insert(accountDomainBlocks).values({ accountId: owner.id, domain: far.domain, id: 1 })
    const list = await storedList({ of: owner, members: [friend] })
    for (const author of [people.blocked, people.muted, suspended, blocking, far]) {
      const id = await storedStatus({ accountId: author.id, local: author !== far })
      await entries(list, id, await storedStatus({ accountId: friend.id, reblogOfId: id }))
    }
    for (const visibility of ['private', 'direct'] as const)
      await entries(list, await storedStatus({ accountId: friend.id, visibility }))
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, suspended.id))
    const kept = await storedStatus({ accountId: friend.id })
    await entries(list, kept)
    expect(await shownTo(owner, list)).toEqual([String(kept)])
  })

  it('replies_policy followed → replies to followed accounts; list → to list members; none → no replies [T-605]', async () => {
    const [owner, author, fellow, friend] = [
      await given.account(),
      await given.account(),
      await given.account(),
      await given.account(),
    ]
    for (const one of [author, fellow, friend]) await relation.follow(owner, one)
    const members = [author, fellow]
    const lists = {
      followed: await storedList({ of: owner, members, repliesPolicy: 'followed' }),
      list: await storedList({ of: owner, members, repliesPolicy: 'list' }),
      none: await storedList({ of: owner, members, repliesPolicy: 'none' }),
    }
    const toFriend = await given.status({ by: author, inReplyTo: await given.status({ by: friend }) })
    const parent = await given.status({ by: fellow })
    const toFellow = await given.status({ by: author, inReplyTo: parent })
    expect(await shownTo(owner, lists.followed)).toEqual([toFellow.id, parent.id, toFriend.id])
    expect(await shownTo(owner, lists.list)).toEqual([toFellow.id, parent.id])
    expect(await shownTo(owner, lists.none)).toEqual([parent.id])
  })
})

describe('a change of a list', () => {
  it('inserts posts of a new member, and removes those of a former or unfollowed one', async () => {
    const [owner, one, other] = [await given.account(), await given.account(), await given.account()]
    for (const member of [one, other]) await relation.follow(owner, member)
    const [first, second] = [await given.status({ by: one }), await given.status({ by: other })]
    const list = await storedList({ of: owner })
    await as(owner).post(membersOf(list), { account_ids: [one.id, other.id] })
    expect(await shownTo(owner, list)).toEqual([second.id, first.id])
    await as(owner).delete(membersOf(list), { account_ids: [one.id] })
    expect(await shownTo(owner, list)).toEqual([second.id])
    await as(owner).post(`/api/v1/accounts/${other.id}/unfollow`)
    expect(await shownTo(owner, list)).toEqual([])
    expect(await context().db.$count(listEntries, eq(listEntries.listId, list))).toBe(0)
  })

  it('changing exclusive moves posts between it and home, and so does deleting it', async () => {
    const [owner, author] = [await given.account(), await given.account()]
    await relation.follow(owner, author)
    const list = await storedList({ of: owner, members: [author] })
    const { id } = await given.status({ by: author })
    expect(await homeOf(owner)).toEqual([id])
    const set = (exclusive: boolean) => as(owner).put(`/api/v1/lists/${list}`, { exclusive })
    await set(true)
    expect(await homeOf(owner)).toEqual([])
    await set(false)
    expect(await homeOf(owner)).toEqual([id])
    await set(true)
    expect(await homeOf(owner)).toEqual([])
    await as(owner).delete(`/api/v1/lists/${list}`)
    expect(await homeOf(owner)).toEqual([id])
    expect(await context().db.$count(listEntries, eq(listEntries.listId, list))).toBe(0)
  })

  it('hides members of an exclusive list from home, until they leave it [T-606]', async () => {
    const [owner, author] = [await given.account(), await given.account()]
    await relation.follow(owner, author)
    const list = await storedList({ of: owner, exclusive: true })
    const { id } = await given.status({ by: author })
    await as(owner).post(membersOf(list), { account_ids: [author.id] })
    expect(await homeOf(owner)).toEqual([])
    const later = await given.status({ by: author })
    expect(await homeOf(owner)).toEqual([])
    expect(await shownTo(owner, list)).toEqual([later.id, id])
    await as(owner).delete(membersOf(list), { account_ids: [author.id] })
    expect(await homeOf(owner)).toEqual([later.id, id])
  })

  it('removes posts of a blocked domain', async () => {
    const owner = await given.account()
    const far = await given.remoteAccount({ domain: 'listed-once.test' })
    const list = await storedListOfFollowed({ of: owner, members: [far] })
    await entries(list, await storedStatus({ accountId: far.id, local: false }))
    await as(owner).post('/api/v1/domain_blocks', { domain: 'listed-once.test' })
    await settleLateWork()
    expect(await context().db.$count(listEntries, eq(listEntries.listId, list))).toBe(0)
    expect(idsOf(await as(owner).get(membersOf(list)))).toEqual([])
  })
})

describe('costs of lists', () => {
  it('a post writes one row more for each list it enters, and reads nothing twice', async () => {
    const [author, plain] = [await given.account(), await given.account()]
    const lists = 5
    for (let index = 0; index < lists; index += 1)
      await storedListOfFollowed({ of: await given.account(), members: [author] })
    for (let index = 0; index < lists; index += 1) await relation.follow(await given.account(), plain)
    const cost = async (by: TestAccount) => {
      await given.status({ by })
      return (await as(by).post('/api/v1/statuses', { status: 'A plain status' })).costs
    }
    const [listed, usual] = [await cost(author), await cost(plain)]
    expect(listed.trips).toBeLessThanOrEqual(4)
    expect(listed.rowsWritten - usual.rowsWritten).toBeLessThanOrEqual(lists)
    expect(listed.rowsWritten).toBeLessThanOrEqual(12 + 2 * lists)
    expect(listed.rowsRead - usual.rowsRead).toBeLessThanOrEqual(6 * lists)
  })
})
