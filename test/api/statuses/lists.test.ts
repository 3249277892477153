import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { anonymous, as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

const missing = { status: 404, body: { error: 'Record not found' } }
const act = (who: TestAccount, id: string, verb: string, body = {}) =>
  as(who).post(`/api/v1/statuses/${id}/${verb}`, body)

const namesOf = (accounts: readonly TestAccount[]) => accounts.map(({ id }) => String(id))

const lists = [
  { list: 'favourited_by', verb: 'favourite' },
  { list: 'reblogged_by', verb: 'reblog' },
] as const

describe.each(lists)('GET statuses/:id/$list', ({ list, verb }) => {
  it('lists accounts newest first, pages by internal ids, and ends where a page is not full [T-549]', async () => {
    const alice = await given.account()
    const fans = await given.accounts(5)
    const { id } = await given.status({ by: alice })
    for (const fan of fans) {
      clock.advance(1_000)
      await act(fan, id, verb)
    }
    const newest = namesOf(fans.toReversed())
    const path = `/api/v1/statuses/${id}/${list}`
    const first = await anonymous.get(`${path}?limit=2`)
    expect(idsOf(first)).toEqual(newest.slice(0, 2))
    expect(first.links.prev).toMatch(/since_id=\d+/)
    const second = await anonymous.get(first.links.next ?? '')
    const third = await anonymous.get(second.links.next ?? '')
    expect(idsOf(second)).toEqual(newest.slice(2, 4))
    expect(idsOf(third)).toEqual(newest.slice(4))
    expect(third.links.next).toBeUndefined()
    expect(first.costs.trips).toBeLessThanOrEqual(1)
    expect((await as(alice).get(path)).body).toHaveLength(5)
  })

  it('leaves out accounts the viewer blocks, mutes or is blocked by, for the author as well [T-550]', async () => {
    const [alice, reader] = [await given.account(), await given.account()]
    const [blocked, blocking] = [await given.account(), await given.account()]
    const [muted, fine] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    for (const fan of [blocked, blocking, muted, fine]) await act(fan, id, verb)
    await relation.block(reader, blocked)
    await relation.block(blocking, reader)
    await relation.mute(reader, muted)
    await relation.block(alice, blocked)
    const path = `/api/v1/statuses/${id}/${list}`
    expect(idsOf(await as(reader).get(path))).toEqual(namesOf([fine]))
    expect(idsOf(await as(alice).get(path))).toEqual(namesOf([fine, muted, blocking]))
    await relation.mute(alice, muted)
    await relation.block(blocking, alice)
    expect(idsOf(await as(alice).get(path))).toEqual(namesOf([fine]))
  })

  it('answers 404 for a private status to accounts that do not follow [T-551]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, visibility: 'private' })
    await act(alice, id, verb)
    const path = `/api/v1/statuses/${id}/${list}`
    expect(await anonymous.get(path)).toMatchObject(missing)
    expect(await as(bob).get(path)).toMatchObject(missing)
    // Mastodon names only those who reblog for all to see.
    expect(idsOf(await as(alice).get(path))).toEqual(verb === 'reblog' ? [] : namesOf([alice]))
  })

  it('uses the original of a reblog', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    const reblog = Status.parse((await act(bob, id, 'reblog')).body)
    await act(bob, id, verb)
    expect(idsOf(await anonymous.get(`/api/v1/statuses/${reblog.id}/${list}`))).toEqual(namesOf([bob]))
  })
})

const marks = [
  { list: 'favourites', verb: 'favourite', undo: 'unfavourite' },
  { list: 'bookmarks', verb: 'bookmark', undo: 'unbookmark' },
] as const

describe.each(marks)('GET $list', ({ list, verb, undo }) => {
  const path = `/api/v1/${list}`

  it('shows the newest action first, and Links have internal ids [T-552]', async () => {
    const [alice, reader] = [await given.account(), await given.account()]
    const made: string[] = []
    for (let index = 0; index < 5; index += 1) made.push((await given.status({ by: alice })).id)
    const marked = [made[3], made[0], made[4], made[1]].map(String)
    for (const id of marked) {
      clock.advance(1_000)
      await act(reader, id, verb)
    }
    const newest = marked.toReversed()
    const first = await as(reader).get(`${path}?limit=3`)
    expect(idsOf(first)).toEqual(newest.slice(0, 3))
    const second = await as(reader).get(first.links.next ?? '')
    expect(idsOf(second)).toEqual(newest.slice(3))
    expect(second.links.next).toBeUndefined()
    expect(idsOf(await as(reader).get(second.links.prev ?? ''))).toEqual(newest.slice(0, 3))
    expect(first.links.next).not.toContain(newest[2])
    expectCosts(first.costs, { trips: 1, rowsWritten: 0 })
    await act(reader, newest[0] ?? '', undo)
    expect(idsOf(await as(reader).get(path))).toEqual(newest.slice(1))
  })

  it('leaves out statuses the viewer may no longer see', async () => {
    const [alice, reader] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    await act(reader, id, verb)
    await relation.block(alice, reader)
    expect((await as(reader).get(path)).body).toEqual([])
  })

  it('refuses requests without a token [T-553]', async () => {
    expect((await anonymous.get(path)).status).toBe(401)
  })

  it('costs one round trip and at most 400 rows for a page of 20', async () => {
    const [alice, reader] = [await given.account(), await given.account()]
    for (let index = 0; index < 25; index += 1)
      await act(reader, (await given.status({ by: alice, text: 'A #tag' })).id, verb)
    const { costs, body } = await as(reader).get(path)
    expect(body).toHaveLength(20)
    expect(costs.trips).toBeLessThanOrEqual(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(400)
  })
})

describe('GET statuses/:id/source', () => {
  it('GET statuses/:id/source has the text as typed [T-554]', async () => {
    const alice = await given.account()
    const text = '*As* typed @nobody'
    const { id } = await given.status({ by: alice, text, spoilerText: 'Hm', contentType: 'text/markdown' })
    const answer = await as(alice).get(`/api/v1/statuses/${id}/source`)
    expect(answer.body).toEqual({ id, text, spoiler_text: 'Hm' })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it('GET statuses/:id/source is 401 without a token, 404 for a hidden status [T-555]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, visibility: 'private' })
    expect((await anonymous.get(`/api/v1/statuses/${id}/source`)).status).toBe(401)
    expect(await as(bob).get(`/api/v1/statuses/${id}/source`)).toMatchObject(missing)
  })
})

describe('POST pin', () => {
  it('shows own public, unlisted and private statuses on the profile; unpin removes that [T-556]', async () => {
    const alice = await given.account()
    const pinned: string[] = []
    for (const visibility of ['public', 'unlisted', 'private'] as const) {
      const { id } = await given.status({ by: alice, visibility })
      expect((await act(alice, id, 'pin')).body).toMatchObject({ id, pinned: true })
      expect((await act(alice, id, 'pin')).body).toMatchObject({ id, pinned: true })
      pinned.unshift(id)
    }
    const list = async () => idsOf(await as(alice).get(`/api/v1/accounts/${alice.id}/statuses?pinned=true`))
    expect(await list()).toEqual(pinned)
    expect((await act(alice, pinned[0] ?? '', 'unpin')).body).toMatchObject({ pinned: false })
    expect(await list()).toEqual(pinned.slice(1))
  })

  it('answers 422 for another account’s, a reblog, a direct one or the sixth, and 404 for an unknown or hidden one [T-557]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const foreign = await given.status({ by: bob })
    const hidden = await given.status({ by: bob, visibility: 'private' })
    const reblog = Status.parse((await act(alice, foreign.id, 'reblog')).body)
    const direct = await given.status({ by: alice, visibility: 'direct' })
    for (const id of [foreign.id, reblog.id, direct.id])
      expect((await act(alice, id, 'pin')).status).toBe(422)
    for (const id of [hidden.id, '1']) expect(await act(alice, id, 'pin')).toMatchObject(missing)
    for (let index = 0; index < 5; index += 1)
      expect((await act(alice, (await given.status({ by: alice })).id, 'pin')).status).toBe(200)
    expect((await act(alice, (await given.status({ by: alice })).id, 'pin')).status).toBe(422)
  })

  it('omits pinned on statuses that cannot be pinned [T-558]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: bob })
    const direct = await given.status({ by: alice, visibility: 'direct' })
    for (const one of [id, direct.id])
      expect((await as(alice).get(`/api/v1/statuses/${one}`)).body).not.toHaveProperty('pinned')
  })

  it('unpin of an unpinned one is 200 [T-559]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    expect((await act(alice, id, 'unpin')).body).toMatchObject({ id, pinned: false })
  })
})

describe('POST mute', () => {
  it('makes muted true for the whole conversation, and stops its notifications [T-560]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const root = await given.status({ by: alice })
    const first = await given.status({ by: bob, inReplyTo: root, text: `@${alice.username} one` })
    expect((await act(alice, root.id, 'mute')).body).toMatchObject({ id: root.id, muted: true })
    expect((await as(alice).get(`/api/v1/statuses/${first.id}`)).body).toMatchObject({ muted: true })
    await given.status({ by: bob, inReplyTo: first, text: `@${alice.username} two` })
    await act(bob, root.id, 'favourite')
    expect((await as(alice).get('/api/v1/notifications')).body).toMatchObject([{ type: 'mention' }])
    expect((await act(alice, first.id, 'unmute')).body).toMatchObject({ muted: false })
    await given.status({ by: bob, inReplyTo: first, text: `@${alice.username} three` })
    expect((await as(alice).get('/api/v1/notifications')).body).toHaveLength(2)
  })

  it('answers 404 for a hidden status', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, visibility: 'private' })
    expect(await act(bob, id, 'mute')).toMatchObject(missing)
    expect(await act(bob, id, 'unmute')).toMatchObject(missing)
  })
})
