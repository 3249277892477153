import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { notifications } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

const act = (who: TestAccount, verb: string, id: number | string, body: object = {}) =>
  as(who).post(`/api/v1/accounts/${id}/${verb}`, { ...body })

async function notice(to: TestAccount, from: { readonly id: number }) {
  const { db, ids } = context()
  await db.insert(notifications).values({
    id: ids.next(),
    accountId: to.id,
    fromAccountId: from.id,
    type: 'mention',
    createdAt: clock.now(),
  })
}

async function noticesOf({ id }: TestAccount): Promise<number> {
  const [found] = await context().db.all<{ count: number }>(
    sql`select count(*) as count from notifications where account_id = ${id}`,
  )
  return found?.count ?? 0
}

describe('POST /api/v1/accounts/:id/block', () => {
  it('block → blocking true, follow both ways gone; unblock → false [T-167]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    await relation.follow(bob, alice)
    const answer = await act(alice, 'block', bob.id)
    expect(answer.body).toMatchObject({ blocking: true, following: false, followed_by: false })
    for (const { id } of [alice, bob])
      expect((await anonymous.get(`/api/v1/accounts/${id}`)).body).toMatchObject({
        followers_count: 0,
        following_count: 0,
      })
    const after = await act(alice, 'unblock', bob.id)
    expect(after.body).toMatchObject({ blocking: false, following: false, followed_by: false })
  })

  it('removes requests both ways, and notifications by the blocked account', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    await relation.followRequest(alice, bob)
    await relation.followRequest(bob, alice)
    await notice(alice, bob)
    await notice(alice, carol)
    const { body } = await act(alice, 'block', bob.id)
    expect(body).toMatchObject({ requested: false, requested_by: false })
    expect(await noticesOf(alice)).toBe(1)
  })

  it('costs four round trips without follows', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { costs } = await act(alice, 'block', bob.id)
    expect(costs.trips).toBeLessThanOrEqual(4)
    expect(costs.statements).toBeLessThanOrEqual(24)
  })

  it('blocks once when repeated, and never oneself', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await act(alice, 'block', bob.id)
    expect((await act(alice, 'block', bob.id)).body).toMatchObject({ blocking: true })
    expect((await act(alice, 'block', alice.id)).body).toMatchObject({ blocking: false })
    expect((await as(alice).get('/api/v1/blocks')).body).toMatchObject([{ id: String(bob.id) }])
  })

  it('hides unknown accounts and requires write:blocks', async () => {
    const [alice, reader] = [await given.account(), await given.account({ scopes: 'read write:mutes' })]
    expect((await act(alice, 'block', 3)).status).toBe(404)
    expect((await act(alice, 'unblock', 'x')).status).toBe(404)
    expect((await act(reader, 'block', alice.id)).status).toBe(403)
  })
})

describe('POST /api/v1/accounts/:id/mute', () => {
  it('mute → muting true, muting_notifications true, still following; unmute → muting false [T-168]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    const muted = { muting: true, muting_notifications: true, muting_expires_at: null, following: true }
    expect((await act(alice, 'mute', bob.id)).body).toMatchObject(muted)
    const after = await act(alice, 'unmute', bob.id)
    expect(after.body).toMatchObject({ muting: false, muting_notifications: false, following: true })
  })

  it('mute notifications=false → muting_notifications false, and notifications stay [T-169]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await notice(alice, bob)
    const { body } = await act(alice, 'mute', bob.id, { notifications: 'false' })
    expect(body).toMatchObject({ muting: true, muting_notifications: false })
    expect(await noticesOf(alice)).toBe(1)
    await act(alice, 'mute', bob.id)
    expect(await noticesOf(alice)).toBe(0)
  })

  it('mute duration=300 → muting until then, mute_expires_at in GET mutes [T-170]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const until = new Date(clock.now().getTime() + 300_000).toISOString()
    const { body } = await act(alice, 'mute', bob.id, { duration: '300' })
    expect(body).toMatchObject({ muting: true, muting_expires_at: until })
    await act(alice, 'mute', carol.id)
    const list = await as(alice).get('/api/v1/mutes')
    expect(list.body).toMatchObject([
      { id: String(carol.id), mute_expires_at: null },
      { id: String(bob.id), mute_expires_at: until },
    ])
    expect(list.costs.trips).toBeLessThanOrEqual(1)
    const again = await act(alice, 'mute', bob.id, { notifications: false })
    expect(again.body).toMatchObject({ muting_notifications: false, muting_expires_at: null })
  })

  it('leaves an expired mute out of GET mutes, and allows a new one', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    await relation.mute(alice, bob, { expiresAt: new Date(clock.now().getTime() - 1_000) })
    await relation.mute(alice, carol)
    expect((await as(alice).get('/api/v1/mutes')).body).toMatchObject([{ id: String(carol.id) }])
    await act(alice, 'mute', bob.id)
    expect((await as(alice).get('/api/v1/mutes')).body).toMatchObject([
      { id: String(bob.id) },
      { id: String(carol.id) },
    ])
  })

  it('POST /api/v1/accounts/:id/mute refuses invalid durations', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const duration of [-1, 1e15, 'soon', {}, '9'.repeat(400)])
      expect((await act(alice, 'mute', bob.id, { duration })).status).toBe(422)
    expect((await act(alice, 'mute', bob.id, { duration: '' })).status).toBe(200)
  })

  it('does nothing to oneself, and hides unknown accounts', async () => {
    const alice = await given.account()
    expect((await act(alice, 'mute', alice.id)).body).toMatchObject({ muting: false })
    expect((await act(alice, 'mute', 3)).status).toBe(404)
    expect((await act(alice, 'unmute', 3)).status).toBe(404)
  })
})

describe('POST /api/v1/accounts/:id/note', () => {
  it('note comment → note in the Relationship, empty comment clears; over 2000 characters → 422 [T-171]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const text = 'Met at the 🪶 fair'
    expect((await act(alice, 'note', bob.id, { comment: text })).body).toMatchObject({ note: text })
    expect((await act(alice, 'note', bob.id, { comment: 'x'.repeat(2_001) })).status).toBe(422)
    const longest = '🪶'.repeat(2_000)
    expect((await act(alice, 'note', bob.id, { comment: longest })).body).toMatchObject({ note: longest })
    expect((await act(alice, 'note', bob.id, { comment: '' })).body).toMatchObject({ note: '' })
    expect((await act(alice, 'note', bob.id)).body).toMatchObject({ note: '' })
  })

  it('shows the note to its writer alone', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await act(alice, 'note', bob.id, { comment: 'secret' })
    const { body } = await as(bob).get(`/api/v1/accounts/relationships?id=${alice.id}`)
    expect(body).toMatchObject([{ note: '' }])
  })

  it('refuses a note that is not text and hides unknown accounts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    expect((await act(alice, 'note', bob.id, { comment: { a: 1 } })).status).toBe(422)
    expect((await act(alice, 'note', 3, { comment: 'x' })).status).toBe(404)
  })
})

describe('POST /api/v1/accounts/:id/endorse', () => {
  it('endorse on a followed account → endorsed true; not followed → 422; unendorse → false [T-172]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    expect(await act(alice, 'endorse', bob.id)).toMatchObject({ status: 422 })
    await relation.follow(alice, bob)
    expect((await act(alice, 'endorse', bob.id)).body).toMatchObject({ endorsed: true })
    expect((await act(alice, 'endorse', bob.id)).body).toMatchObject({ endorsed: true })
    expect((await act(alice, 'unendorse', bob.id)).body).toMatchObject({ endorsed: false })
  })

  it('pin and unpin are aliases of endorse and unendorse [T-173]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    expect((await act(alice, 'pin', bob.id)).body).toMatchObject({ endorsed: true })
    expect((await act(alice, 'unpin', bob.id)).body).toMatchObject({ endorsed: false })
  })

  it('an endorsement ends with its follow', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(alice, bob)
    await act(alice, 'endorse', bob.id)
    expect((await act(alice, 'unfollow', bob.id)).body).toMatchObject({ endorsed: false })
    expect((await as(alice).get('/api/v1/endorsements')).body).toEqual([])
  })
})
