import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { List } from '../../src/contract/entities/timelines'
import { moveFollowers } from '../../src/domain/relationships/move-followers'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { freshName, given, type TestAccount } from '../support/given'
import { storedList, storedListOfFollowed } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { context } from '../support/test-app'

const path = '/api/v1/lists'
const make = async (who: TestAccount, more: Readonly<Record<string, unknown>> = {}) =>
  List.parse((await as(who).post(path, { title: freshName('list'), ...more })).body)
const titlesOf = (body: unknown) =>
  z
    .array(List)
    .parse(body)
    .map(({ title }) => title)
const membersOf = (id: number | string) => `${path}/${id}/accounts`

describe('/api/v1/lists', () => {
  it('POST title → List, replies_policy list, exclusive false [T-367]', async () => {
    const alice = await given.account()
    const made = await as(alice).post(path, { title: ' Birds' })
    expect(made).toMatchObject({
      status: 200,
      body: { title: ' Birds', replies_policy: 'list', exclusive: false },
    })
    const other = await make(alice, { replies_policy: 'followed', exclusive: true })
    expect(other).toMatchObject({ replies_policy: 'followed', exclusive: true })
    expect((await as(alice).get(path)).body).toEqual([made.body, other])
    expect((await as(await given.account()).get(path)).body).toEqual([])
  })

  it('no title or over 256 → 422; bad replies_policy → 422; 51st list → 422 [T-368]', async () => {
    const alice = await given.account()
    for (const body of [{}, { title: '' }, { title: '  ' }, { title: '🐦'.repeat(257) }, { title: null }])
      expect((await as(alice).post(path, body)).status, JSON.stringify(body)).toBe(422)
    expect((await as(alice).post(path, { title: 'x', replies_policy: 'all' })).status).toBe(422)
    expect((await as(alice).post(path, { title: '🐦'.repeat(256) })).status).toBe(200)
    for (let count = 1; count < 50; count += 1) await storedList({ of: alice })
    expect(await as(alice).post(path, { title: 'one more' })).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: You have reached the maximum number of lists' },
    })
    expect((await as(alice).get(path)).body).toHaveLength(50)
  })

  it('GET, PUT, PATCH and DELETE of the own list; omitted values stay [T-369]', async () => {
    const alice = await given.account()
    const list = await make(alice, { replies_policy: 'none' })
    const one = `${path}/${list.id}`
    const renamed = await as(alice).put(one, { title: 'herons' })
    expect(renamed.body).toEqual({ ...list, title: 'herons' })
    const changed = await as(alice).patch(one, { replies_policy: 'followed', exclusive: 'true' })
    expect(changed.body).toEqual({ ...list, title: 'herons', replies_policy: 'followed', exclusive: true })
    expect((await as(alice).put(one, { title: '' })).status).toBe(422)
    expect((await as(alice).put(one, { title: 'x'.repeat(257) })).status).toBe(422)
    expect((await as(alice).get(one)).body).toEqual(changed.body)
    expect(await as(alice).delete(one)).toMatchObject({ status: 200, body: {} })
    expect((await as(alice).get(one)).status).toBe(404)
    expect((await as(alice).delete(one)).status).toBe(404)
  })

  it('another account’s or unknown → 404 everywhere, and it stays as it is [T-370]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(bob, carol)
    const list = await make(alice)
    for (const id of [list.id, '1', 'abc']) {
      const one = `${path}/${id}`
      expect((await as(bob).get(one)).status).toBe(404)
      expect((await as(bob).put(one, { title: 'mine' })).status).toBe(404)
      expect((await as(bob).patch(one, { title: 'mine' })).status).toBe(404)
      expect((await as(bob).delete(one)).status).toBe(404)
      expect((await as(bob).get(`${one}/accounts`)).status).toBe(404)
      expect((await as(bob).post(`${one}/accounts`, { account_ids: [carol.id] })).status).toBe(404)
      expect((await as(bob).delete(`${one}/accounts`, { account_ids: [carol.id] })).status).toBe(404)
    }
    expect((await as(alice).get(`${path}/${list.id}`)).body).toEqual(list)
    expect((await anonymous.get(path)).status).toBe(401)
  })
})

describe('/api/v1/lists/:id/accounts', () => {
  it('POST followed or requested accounts and oneself → {}, all of them are members [T-371]', async () => {
    const alice = await given.account()
    const [friend, locked] = [await given.account(), await given.account({ locked: true })]
    await relation.follow(alice, friend)
    await relation.followRequest(alice, locked)
    const { id } = await make(alice)
    const everybody = [friend, locked, alice].map((one) => String(one.id))
    expect(await as(alice).post(membersOf(id), { account_ids: everybody })).toMatchObject({
      status: 200,
      body: {},
    })
    expect(idsOf(await as(alice).get(membersOf(id)))).toEqual(everybody.toReversed())
  })

  it('POST not followed → 422; already in → 422; unknown → 404; then no account is added [T-372]', async () => {
    const alice = await given.account()
    const [friend, other, stranger] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(alice, friend)
    await relation.follow(alice, other)
    const { id } = await make(alice)
    const add = (...people: readonly { readonly id: number }[]) =>
      as(alice).post(membersOf(id), { account_ids: people.map((one) => one.id) })
    expect((await add(friend)).status).toBe(200)
    expect((await add(other, stranger)).status).toBe(422)
    expect(await add(other, friend)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Account is already on the list' },
    })
    expect((await add(other, { id: 1 })).status).toBe(404)
    expect((await add()).status).toBe(200)
    expect(idsOf(await as(alice).get(membersOf(id)))).toEqual([String(friend.id)])
  })

  it('DELETE → {}, others stay; not a member → {} [T-373]', async () => {
    const [alice, first, second] = [await given.account(), await given.account(), await given.account()]
    const id = await storedListOfFollowed({ of: alice, members: [first, second] })
    const drop = (one: TestAccount) => as(alice).delete(membersOf(id), { account_ids: [one.id] })
    for (const time of ['once', 'again'])
      expect(await drop(first), time).toMatchObject({ status: 200, body: {} })
    expect(idsOf(await as(alice).get(membersOf(id)))).toEqual([String(second.id)])
    const inQuery = `${membersOf(id)}?account_ids[]=${second.id}`
    expect((await as(alice).delete(inQuery)).status).toBe(200)
    expect((await as(alice).get(membersOf(id))).body).toEqual([])
  })

  it('GET pages by since_id and max_id; limit=0 → all members without Link [T-374]', async () => {
    const alice = await given.account()
    const members = await given.accounts(5)
    const id = await storedListOfFollowed({ of: alice, members })
    const newest = members.map((one) => String(one.id)).toReversed()
    const first = await as(alice).get(`${membersOf(id)}?limit=2`)
    expect(idsOf(first)).toEqual(newest.slice(0, 2))
    const second = await as(alice).get(first.links.next ?? '')
    expect(idsOf(second)).toEqual(newest.slice(2, 4))
    const last = await as(alice).get(second.links.next ?? '')
    expect(idsOf(last)).toEqual(newest.slice(4))
    expect(last.links.next).toBeUndefined()
    expect(last.links.prev).toContain('since_id=')
    const all = await as(alice).get(`${membersOf(id)}?limit=0`)
    expect(idsOf(all)).toEqual(newest)
    expect(all.headers.get('Link')).toBeNull()
    expect(all.costs.trips).toBeLessThanOrEqual(1)
  })

  it('removes accounts that are no longer followed, by any interaction, and no others [T-375]', async () => {
    const interactions: Readonly<
      Record<string, (owner: TestAccount, member: TestAccount) => Promise<unknown>>
    > = {
      unfollow: (owner, member) => as(owner).post(`/api/v1/accounts/${member.id}/unfollow`),
      block: (owner, member) => as(owner).post(`/api/v1/accounts/${member.id}/block`),
      'a block by the member': (owner, member) => as(member).post(`/api/v1/accounts/${owner.id}/block`),
      'being taken off the followers': (owner, member) =>
        as(member).post(`/api/v1/accounts/${owner.id}/remove_from_followers`),
    }
    for (const [name, interaction] of Object.entries(interactions)) {
      const [alice, member, kept] = [await given.account(), await given.account(), await given.account()]
      const id = await storedListOfFollowed({ of: alice, members: [member, kept] })
      await interaction(alice, member)
      expect(idsOf(await as(alice).get(membersOf(id))), name).toEqual([String(kept.id)])
    }
  })

  it('a moved account is replaced where the owner follows the new one', async () => {
    const [alice, old, moved] = [await given.account(), await given.account(), await given.account()]
    const [list, both] = [await storedListOfFollowed({ of: alice, members: [old] }), await make(alice)]
    await relation.follow(alice, moved)
    await as(alice).post(membersOf(both.id), { account_ids: [old.id, moved.id] })
    await moveFollowers(context(), old.id, moved.id)
    for (const id of [list, both.id])
      expect(idsOf(await as(alice).get(membersOf(id)))).toEqual([String(moved.id)])
  })

  it('keeps an account that accepts the request, and removes one that rejects it', async () => {
    const alice = await given.account()
    const [open, closed] = [await given.account({ locked: true }), await given.account({ locked: true })]
    const { id } = await make(alice)
    for (const member of [open, closed]) {
      await relation.followRequest(alice, member)
      await as(alice).post(membersOf(id), { account_ids: [member.id] })
    }
    await as(open).post(`/api/v1/follow_requests/${alice.id}/authorize`)
    await as(closed).post(`/api/v1/follow_requests/${alice.id}/reject`)
    expect(idsOf(await as(alice).get(membersOf(id)))).toEqual([String(open.id)])
  })

  it('keeps the owner, and members of the lists of others', async () => {
    const [alice, bob, member] = [await given.account(), await given.account(), await given.account()]
    const own = await storedListOfFollowed({ of: alice, members: [member] })
    const foreign = await storedListOfFollowed({ of: bob, members: [member] })
    await as(alice).post(membersOf(own), { account_ids: [alice.id] })
    await as(alice).post(`/api/v1/accounts/${member.id}/unfollow`)
    expect(idsOf(await as(alice).get(membersOf(own)))).toEqual([String(alice.id)])
    expect(idsOf(await as(bob).get(membersOf(foreign)))).toEqual([String(member.id)])
  })
})

describe('GET /api/v1/accounts/:id/lists', () => {
  it('→ own lists with the account; unknown account → 404 [T-376]', async () => {
    const [alice, bob, friend] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(alice, friend)
    await relation.follow(bob, friend)
    await storedList({ of: alice, members: [friend], title: 'first' })
    await storedList({ of: alice, title: 'of nobody' })
    await storedList({ of: alice, members: [friend], title: 'second' })
    await storedList({ of: bob, members: [friend], title: "bob's" })
    const answer = await as(alice).get(`/api/v1/accounts/${friend.id}/lists`)
    expect(titlesOf(answer.body)).toEqual(['first', 'second'])
    expect((await as(alice).get(`/api/v1/accounts/${bob.id}/lists`)).body).toEqual([])
    expect((await as(alice).get('/api/v1/accounts/1/lists')).status).toBe(404)
  })
})
