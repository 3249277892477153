import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Announcement } from '../../src/contract/entities/announcement'
import { customEmojis } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { freshName, given, type TestAccount } from '../support/given'
import { announced, removeAnnounced } from '../support/given-announcement'
import { clock, context } from '../support/test-app'

let id: string
let alice: TestAccount
beforeEach(async () => {
  id = await announced(freshName('news'))
  alice = await given.account()
})
afterEach(() => removeAnnounced(id))

async function read(viewer: TestAccount = alice) {
  const { body } = await as(viewer).get('/api/v1/announcements')
  return z
    .array(Announcement)
    .parse(body)
    .find((one) => one.id === id)
}

const reactions = (name: string, of = id) =>
  `/api/v1/announcements/${of}/reactions/${encodeURIComponent(name)}`

describe('GET /api/v1/announcements', () => {
  it('returns the current announcements in one round trip, to any token of an account [T-229]', async () => {
    const token = await given.token({ accountId: alice.id, scopes: 'write:media' })
    const answer = await as(token).get('/api/v1/announcements')
    expect(JSON.stringify(answer.body)).toContain(`"id":"${id}"`)
    expectCosts(answer.costs, { trips: 1, rowsWritten: 0 })
    expect(await read()).toMatchObject({ read: false, reactions: [], starts_at: null, all_day: false })
  })

  it('answers 422 without a token [T-230]', async () => {
    expect(await anonymous.get('/api/v1/announcements')).toMatchObject({
      status: 422,
      body: { error: 'This method requires an authenticated user' },
    })
  })
})

describe('POST /api/v1/announcements/:id/dismiss', () => {
  it('POST /api/v1/announcements/:id/dismiss marks it as read for the account, and dismissing again changes nothing [T-231]', async () => {
    for (const _ of [1, 2])
      expect(await as(alice).post(`/api/v1/announcements/${id}/dismiss`)).toMatchObject({
        status: 200,
        body: {},
      })
    expect((await read())?.read).toBe(true)
    expect((await read(await given.account()))?.read).toBe(false)
  })

  it('answers 404 for missing and future announcements, and 401 without a token [T-232]', async () => {
    const future = await announced('x', { publish_at: new Date(clock.now().getTime() + 1_000).toISOString() })
    for (const unknown of ['7', future])
      expect((await as(alice).post(`/api/v1/announcements/${unknown}/dismiss`)).status).toBe(404)
    expect((await anonymous.post(`/api/v1/announcements/${id}/dismiss`)).status).toBe(401)
    await removeAnnounced(future)
  })
})

describe('PUT /api/v1/announcements/:id/reactions/:name', () => {
  it('changes count and me once, whatever the method and however often [T-233]', async () => {
    const bob = await given.account()
    for (const method of ['PUT', 'PATCH', 'PUT'] as const)
      expect(await as(alice).call(method, reactions('🎉'))).toMatchObject({ status: 200, body: {} })
    await as(bob).put(reactions('🎉'))
    await as(bob).put(reactions('❤'))
    expect((await read())?.reactions).toEqual([
      { name: '🎉', count: 2, me: true },
      { name: '❤️', count: 1, me: false },
    ])
  })

  it('accepts custom emojis of this server, with or without colons', async () => {
    const shortcode = freshName('wren')
    const { db, ids } = context()
    await db.insert(customEmojis).values({
      id: ids.next(),
      shortcode,
      image: { key: 'wren.png' },
      createdAt: clock.now(),
    })
    await as(alice).put(reactions(`:${shortcode}:`))
    await as(alice).put(reactions(shortcode))
    expect((await read())?.reactions).toEqual([
      {
        name: shortcode,
        count: 1,
        me: true,
        url: expect.stringContaining('wren.png'),
        static_url: expect.stringContaining('wren.png'),
      },
    ])
  })

  it('refuses invalid emojis, and unknown, disabled and remote custom ones [T-234]', async () => {
    const { db, ids } = context()
    const [disabled, remote] = [freshName('off'), freshName('far')]
    const emoji = { image: { key: 'x.png' }, createdAt: clock.now() }
    await db.insert(customEmojis).values({ ...emoji, id: ids.next(), shortcode: disabled, disabled: true })
    await db.insert(customEmojis).values({ ...emoji, id: ids.next(), shortcode: remote, domain: 'x.test' })
    for (const name of ['x', '🎉🎉', 'no such emoji', disabled, remote])
      expect(await as(alice).put(reactions(name)), name).toMatchObject({
        status: 422,
        body: { error: 'Validation failed: Name is not a recognized emoji' },
      })
    expect((await read())?.reactions).toEqual([])
  })

  it('refuses a ninth kind, and accepts one of the eight [T-235]', async () => {
    const bob = await given.account()
    const eight = ['😀', '😁', '😂', '🤣', '😃', '😄', '😅', '😆']
    for (const name of eight) expect((await as(alice).put(reactions(name))).status).toBe(200)
    expect(await as(bob).put(reactions('🎉'))).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Limit of different reactions reached' },
    })
    expect((await as(bob).put(reactions('😆'))).status).toBe(200)
    expect((await read())?.reactions.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1, 2])
  })

  it('answers 404 for a missing announcement', async () => {
    expect((await as(alice).put(reactions('🎉', '7'))).status).toBe(404)
  })
})

describe('DELETE /api/v1/announcements/:id/reactions/:name', () => {
  it('removes the reaction, and answers 404 without one [T-236]', async () => {
    const bob = await given.account()
    for (const person of [alice, bob]) await as(person).put(reactions('🎉'))
    expect(await as(alice).delete(reactions('🎉'))).toMatchObject({ status: 200, body: {} })
    expect((await read())?.reactions).toEqual([{ name: '🎉', count: 1, me: false }])
    expect((await as(alice).delete(reactions('🎉'))).status).toBe(404)
    await as(bob).delete(reactions('🎉'))
    expect((await read())?.reactions).toEqual([])
  })
})
