import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { accounts, notifications, statuses } from '../../../src/db/schema'
import { as, type TestResponse } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { context } from '../../support/test-app'

const missing = { status: 404, body: { error: 'Record not found' } }
const act = (who: TestAccount, id: string, verb: string, body = {}) =>
  as(who).post(`/api/v1/statuses/${id}/${verb}`, body)
const parsed = (answer: TestResponse) => Status.parse(answer.body)

/** Types of the notifications somebody has about a status. */
async function noticesOf(who: TestAccount, id: string): Promise<readonly string[]> {
  const rows = await context()
    .db.select()
    .from(notifications)
    .where(eq(notifications.statusId, Number(id)))
  return rows.filter((row) => row.accountId === who.id).map((row) => row.type)
}

const marks = [
  { verb: 'favourite', undo: 'unfavourite', key: 'favourited', count: 'favourites_count' },
  { verb: 'bookmark', undo: 'unbookmark', key: 'bookmarked', count: null },
  { verb: 'reblog', undo: 'unreblog', key: 'reblogged', count: 'reblogs_count' },
] as const

describe.each(marks)('POST $verb', ({ verb, undo, key, count }) => {
  it(`makes ${key} true, also when repeated, and ${undo} makes it false [T-538]`, async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    const done = await act(bob, id, verb)
    expect(parsed(done)[key]).toBe(true)
    const again = await act(bob, id, verb)
    expect(parsed(again).id).toBe(parsed(done).id)
    const seen = parsed(await as(bob).get(`/api/v1/statuses/${id}`))
    expect(seen[key]).toBe(true)
    if (count !== null) expect(seen[count]).toBe(1)
    const undone = parsed(await act(bob, id, undo))
    expect(undone).toMatchObject({ id, [key]: false })
    if (count !== null) expect(undone[count]).toBe(0)
  })

  it('counts two concurrent requests as one', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    const both = await Promise.all([act(bob, id, verb), act(bob, id, verb)])
    expect(both.map((answer) => answer.status)).toEqual([200, 200])
    const seen = parsed(await as(bob).get(`/api/v1/statuses/${id}`))
    if (count !== null) expect(seen[count]).toBe(1)
    await Promise.all([act(bob, id, undo), act(bob, id, undo)])
    if (count !== null) expect(parsed(await as(bob).get(`/api/v1/statuses/${id}`))[count]).toBe(0)
  })

  it('answers 404 for a hidden status, also when undoing [T-539]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const visibility of ['private', 'direct'] as const) {
      const { id } = await given.status({ by: alice, visibility })
      expect(await act(bob, id, verb)).toMatchObject(missing)
      expect(await act(bob, id, undo)).toMatchObject(missing)
    }
    expect(await act(bob, '1', verb)).toMatchObject(missing)
    expect(await act(bob, '1', undo)).toMatchObject(missing)
  })

  it('works for an own private status [T-540]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice, visibility: 'private' })
    const answer = await act(alice, id, verb)
    expect(parsed(answer)).toMatchObject({ [key]: true, visibility: 'private' })
  })

  it(`${undo} without an earlier action is 200 where the status is visible [T-541]`, async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    expect(await act(bob, id, undo)).toMatchObject({ status: 200, body: { id, [key]: false } })
  })

  it(`${undo} works after the author blocked, and then shows nothing of the status [T-542]`, async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, text: 'Secret #hush', spoilerText: 'quiet' })
    await act(bob, id, verb)
    await relation.block(alice, bob)
    const undone = await act(bob, id, undo)
    expect(undone).toMatchObject({ status: 200, body: { id, [key]: false, content: '', spoiler_text: '' } })
    expect(parsed(undone)).toMatchObject({ tags: [], media_attachments: [], mentions: [], poll: null })
    expect(await act(bob, id, undo)).toMatchObject(missing)
  })

  it('acts on the original of a reblog [T-543]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    const reblog = parsed(await act(bob, id, 'reblog'))
    const answer = parsed(await act(carol, reblog.id, verb))
    expect(answer).toMatchObject({ [key]: true, reblog: { id, [key]: true } })
    expect(parsed(await act(carol, reblog.id, undo))).toMatchObject({ [key]: false })
  })

  it('costs at most four round trips', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    for (const one of [verb, undo]) {
      const answer = await act(bob, id, one)
      expect(answer.status).toBe(200)
      expect(answer.costs.trips).toBeLessThanOrEqual(4)
    }
  })
})

describe('POST favourite', () => {
  it('notifies the author, and removes that with the favourite [T-544]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    await act(bob, id, 'favourite')
    expect(await noticesOf(alice, id)).toEqual(['favourite'])
    await act(bob, id, 'unfavourite')
    expect(await noticesOf(alice, id)).toEqual([])
    await act(alice, id, 'favourite')
    expect(await noticesOf(alice, id)).toEqual([])
  })
})

describe('POST bookmark', () => {
  it('POST bookmark notifies nobody [T-545]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    await act(bob, id, 'bookmark')
    expect(await noticesOf(alice, id)).toEqual([])
  })
})

describe('POST reblog', () => {
  it('returns a new status with the original inside, and the limits of the statuses family [T-546]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, text: 'Pass it on' })
    const answer = await act(bob, id, 'reblog')
    const reblog = parsed(answer)
    expect(reblog.id).not.toBe(id)
    expect(reblog).toMatchObject({
      content: '<p>Pass it on</p>',
      account: { id: String(bob.id) },
      visibility: 'public',
      reblog: { id, reblogs_count: 1, account: { id: String(alice.id) } },
    })
    expect(reblog.uri).toMatch(/\/activity$/)
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('300')
    expect(await noticesOf(alice, id)).toEqual(['reblog'])
  })

  it('accepts the visibility, or uses the default of the account, but never direct [T-547]', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    const visible = async (settings: object, body = {}) =>
      parsed(await act(await given.account({ user: { settings } }), id, 'reblog', body)).visibility
    expect(await visible({}, { visibility: 'unlisted' })).toBe('unlisted')
    expect(await visible({}, { visibility: 'private' })).toBe('private')
    expect(await visible({ defaultVisibility: 'unlisted' })).toBe('unlisted')
    expect(await visible({ defaultVisibility: 'direct' })).toBe('private')
    const refused = await act(await given.account(), id, 'reblog', { visibility: 'direct' })
    expect(refused.status).toBe(422)
  })

  it('a reblog for followers is not counted, and undoing it keeps the count', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    const count = async () => parsed(await as(alice).get(`/api/v1/statuses/${id}`)).reblogs_count
    expect(parsed(await act(bob, id, 'reblog', { visibility: 'private' })).reblog?.reblogs_count).toBe(0)
    await act(carol, id, 'reblog')
    expect(await count()).toBe(1)
    await act(bob, id, 'unreblog')
    expect(await count()).toBe(1)
    await act(carol, id, 'unreblog')
    expect(await count()).toBe(0)
  })

  it('a reblog of an own followers-only status is counted at that status', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice, visibility: 'private' })
    expect(parsed(await act(alice, id, 'reblog')).reblog?.reblogs_count).toBe(1)
    await act(alice, id, 'unreblog')
    expect(parsed(await as(alice).get(`/api/v1/statuses/${id}`)).reblogs_count).toBe(0)
  })

  it('POST reblog is 403 for another account’s visible private status, and for direct ones [T-548]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(bob, alice)
    const hidden = await given.status({ by: alice, visibility: 'private' })
    const direct = await given.status({ by: alice, visibility: 'direct', text: `@${bob.username} hello` })
    expect((await act(bob, hidden.id, 'reblog')).status).toBe(403)
    expect((await act(bob, direct.id, 'reblog')).status).toBe(403)
    expect((await act(alice, direct.id, 'reblog')).status).toBe(403)
  })

  it('POST reblog is 403 for a status of an account the viewer blocks', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice })
    await relation.block(bob, alice)
    expect((await act(bob, id, 'reblog')).status).toBe(403)
  })

  it('enters home feeds, but of no follower who hides reblogs, and counts for its author', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const [fan, picky] = [await given.account(), await given.account()]
    await relation.follow(fan, bob)
    await relation.follow(picky, bob, { showReblogs: false })
    const { id } = await given.status({ by: alice })
    const reblog = parsed(await act(bob, id, 'reblog'))
    const home = async (who: TestAccount) => (await as(who).get('/api/v1/timelines/home')).body
    expect(await home(fan)).toMatchObject([{ id: reblog.id }])
    expect(await home(bob)).toMatchObject([{ id: reblog.id }])
    expect(await home(picky)).toEqual([])
    const figure = async () =>
      (await context().db.select().from(accounts).where(eq(accounts.id, bob.id)))[0]?.statusesCount
    expect(await figure()).toBe(1)
    await act(bob, reblog.id, 'unreblog')
    expect(await figure()).toBe(0)
    expect(await home(fan)).toEqual([])
    expect(await noticesOf(alice, id)).toEqual([])
    expect(
      await context()
        .db.select()
        .from(statuses)
        .where(eq(statuses.id, Number(reblog.id))),
    ).toEqual([])
  })
})
