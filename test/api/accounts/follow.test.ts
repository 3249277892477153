import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { followAccount } from '../../../src/domain/relationships/follow'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'

const follow = (who: TestAccount, whom: { readonly id: number }, body: object = {}) =>
  as(who).post(`/api/v1/accounts/${whom.id}/follow`, { ...body })

async function counters({ id }: { readonly id: number }) {
  const { body } = await anonymous.get(`/api/v1/accounts/${id}`)
  return body
}

async function noticesOf({ id }: { readonly id: number }): Promise<string[]> {
  const found = await context().db.all<{ type: string }>(
    sql`select type from notifications where account_id = ${id} order by id`,
  )
  return found.map(({ type }) => type)
}

describe('POST /api/v1/accounts/:id/follow', () => {
  it('following an open account → following true, requested false [T-182]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const answer = await follow(alice, bob)
    expect(answer.body).toMatchObject({ following: true, requested: false, showing_reblogs: true })
    expect(answer.body).toMatchObject({ notifying: false, languages: null })
    expect(answer.headers.get('x-ratelimit-limit')).toBe('400')
    expect(await counters(bob)).toMatchObject({ followers_count: 1, following_count: 0 })
    expect(await counters(alice)).toMatchObject({ followers_count: 0, following_count: 1 })
    expect(await noticesOf(bob)).toEqual(['follow'])
  })

  it('following a locked account → following false, requested true [T-183]', async () => {
    const [alice, bob] = [await given.account(), await given.account({ locked: true })]
    const { body, costs } = await follow(alice, bob, { reblogs: false, notify: true })
    expect(body).toMatchObject({ following: false, requested: true, showing_reblogs: false, notifying: true })
    expect(costs.trips).toBeLessThanOrEqual(4)
    expect(await counters(bob)).toMatchObject({ followers_count: 0 })
    expect(await noticesOf(bob)).toEqual(['follow_request'])
  })

  it('sends a request to remote accounts, and to accounts limited by moderators', async () => {
    const [alice, far, bob] = [await given.account(), await given.remoteAccount(), await given.account()]
    expect((await follow(alice, far)).body).toMatchObject({ following: false, requested: true })
    const limited = await given.account({ silencedAt: clock.now() })
    expect((await follow(limited, bob)).body).toMatchObject({ following: false, requested: true })
  })

  it('following again with reblogs / notify / languages → showing_reblogs / notifying / languages changed [T-184]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await follow(alice, bob)
    expect((await follow(alice, bob, { reblogs: false })).body).toMatchObject({ showing_reblogs: false })
    const changed = await follow(alice, bob, { notify: true, languages: ['de', 'en'] })
    expect(changed.body).toMatchObject({ showing_reblogs: false, notifying: true, languages: ['de', 'en'] })
    const untouched = await follow(alice, bob)
    expect(untouched.body).toMatchObject({ notifying: true, languages: ['de', 'en'] })
    expect((await follow(alice, bob, { languages: [] })).body).toMatchObject({ languages: null })
    expect(await counters(bob)).toMatchObject({ followers_count: 1 })
  })

  it('following a locked account again changes the options of the request', async () => {
    const [alice, bob] = [await given.account(), await given.account({ locked: true })]
    await follow(alice, bob)
    const { body } = await follow(alice, bob, { reblogs: false })
    expect(body).toMatchObject({ requested: true, showing_reblogs: false })
    expect(await noticesOf(bob)).toEqual(['follow_request'])
  })

  it('counts once when two requests race', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const answers = await Promise.all([follow(alice, bob), follow(alice, bob), follow(alice, bob)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await counters(bob)).toMatchObject({ followers_count: 1 })
    expect(await counters(alice)).toMatchObject({ following_count: 1 })
    expect(await noticesOf(bob)).toEqual(['follow'])
  })

  it('counts once when both requests were checked before either was stored', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const [first, second] = [heldBackAtCommit(), heldBackAtCommit()]
    const viewer = { id: alice.id, username: alice.username, locked: false, silenced: false, locale: 'en' }
    const rest = { settings: {}, permissions: 0, applicationId: null }
    const both = [first, second].map(({ ctx }) => followAccount(ctx, { ...viewer, ...rest }, bob.id, {}))
    await Promise.all([first.reached, second.reached])
    first.release()
    second.release()
    await Promise.all(both)
    await settleLateWork()
    expect(await counters(bob)).toMatchObject({ followers_count: 1 })
    expect(await counters(alice)).toMatchObject({ following_count: 1 })
  })

  it('following yourself → 403; someone who blocks you → 403; an unknown id → 404 [T-185]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.block(bob, alice)
    expect((await follow(alice, alice)).status).toBe(403)
    expect((await follow(alice, bob)).status).toBe(403)
    expect((await follow(bob, alice)).status).toBe(403)
    expect((await follow(alice, { id: 4 })).status).toBe(404)
    expect((await as(alice).post('/api/v1/accounts/x/follow')).status).toBe(404)
    expect(await counters(bob)).toMatchObject({ followers_count: 0 })
  })

  it('refuses moved accounts, and hides suspended and unconfirmed ones', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const moved = await given.account({ movedToAccountId: bob.id })
    const gone = await given.account({ suspendedAt: clock.now() })
    const hidden = await given.account({ user: { confirmedAt: null } })
    expect((await follow(alice, moved)).status).toBe(403)
    expect((await follow(alice, gone)).status).toBe(404)
    expect((await follow(alice, hidden)).status).toBe(404)
  })

  it('stops at 7,500 follows for accounts with fewer followers', async () => {
    const [alice, bob] = [await given.account({ followingCount: 7_500 }), await given.account()]
    expect(await follow(alice, bob)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: You cannot follow more than 7500 people' },
    })
    const known = await given.account({ followingCount: 7_500, followersCount: 7_000 })
    expect((await follow(known, bob)).status).toBe(200)
  })

  it('accepts unusual input and refuses invalid input', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const odd = await follow(alice, bob, { reblogs: 'off', notify: '1', languages: 'de' })
    expect(odd.body).toMatchObject({ showing_reblogs: false, notifying: true, languages: ['de'] })
    expect((await follow(alice, bob, { reblogs: { a: 1 } })).status).toBe(422)
    expect((await follow(alice, bob, { languages: [{ a: 1 }] })).status).toBe(422)
    expect((await follow(alice, bob, { languages: ['klingonese!'] })).status).toBe(422)
    const headers = { 'content-type': 'application/json' }
    expect((await as(alice).post(`/api/v1/accounts/${bob.id}/follow`, '{', { headers })).status).toBe(400)
  })

  it('requires a user with write:follows', async () => {
    const [reader, bob] = [await given.account({ scopes: 'read write:blocks' }), await given.account()]
    expect((await follow(reader, bob)).status).toBe(403)
    expect((await anonymous.post(`/api/v1/accounts/${bob.id}/follow`)).status).toBe(401)
    const old = await given.account({ scopes: 'follow' })
    expect((await follow(old, bob)).status).toBe(200)
  })
})

describe('POST /api/v1/accounts/:id/unfollow', () => {
  it('unfollow → following and requested false; when not following → 200 too [T-186]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await follow(alice, bob)
    for (const _time of [1, 2]) {
      const { body } = await as(alice).post(`/api/v1/accounts/${bob.id}/unfollow`)
      expect(body).toMatchObject({ following: false, requested: false })
      expect(await counters(bob)).toMatchObject({ followers_count: 0 })
      expect(await counters(alice)).toMatchObject({ following_count: 0 })
    }
    expect(await noticesOf(bob)).toEqual([])
  })

  it('POST /api/v1/accounts/:id/unfollow withdraws a follow request', async () => {
    const [alice, bob] = [await given.account(), await given.account({ locked: true })]
    await follow(alice, bob)
    const { body } = await as(alice).post(`/api/v1/accounts/${bob.id}/unfollow`)
    expect(body).toMatchObject({ following: false, requested: false })
    expect(await noticesOf(bob)).toEqual([])
  })

  it('counts down once when two requests race', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    await follow(alice, bob)
    await follow(carol, bob)
    const unfollow = () => as(alice).post(`/api/v1/accounts/${bob.id}/unfollow`)
    await Promise.all([unfollow(), unfollow(), unfollow()])
    expect(await counters(bob)).toMatchObject({ followers_count: 1 })
    expect(await counters(alice)).toMatchObject({ following_count: 0 })
  })

  it('hides unknown accounts', async () => {
    const alice = await given.account()
    expect((await as(alice).post('/api/v1/accounts/5/unfollow')).status).toBe(404)
  })
})

describe('the home feed', () => {
  const homeOf = async (who: TestAccount) => (await as(who).get('/api/v1/timelines/home')).body

  it('adds statuses of followed accounts to home, and removes them on unfollow', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await storedStatus({ accountId: bob.id })
    await follow(alice, bob)
    expect(await homeOf(alice)).toMatchObject([{ id: String(id) }])
    await as(alice).post(`/api/v1/accounts/${bob.id}/unfollow`)
    expect(await homeOf(alice)).toEqual([])
  })

  it('a block removes statuses of both accounts from their homes permanently', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const one of [alice, bob]) await storedStatus({ accountId: one.id })
    await follow(alice, bob)
    await follow(bob, alice)
    await as(alice).post(`/api/v1/accounts/${bob.id}/block`)
    await as(alice).post(`/api/v1/accounts/${bob.id}/unblock`)
    expect(await homeOf(alice)).toEqual([])
    expect(await homeOf(bob)).toEqual([])
  })

  it('a domain block removes its statuses from home', async () => {
    const [alice, far] = [await given.account(), await given.remoteAccount({ domain: 'gone.test' })]
    const near = await given.account()
    await relation.follow(alice, far)
    await relation.follow(alice, near)
    await storedStatus({ accountId: far.id, local: false, inHomeOf: [alice.id] })
    const kept = await storedStatus({ accountId: near.id, inHomeOf: [alice.id] })
    await as(alice).post('/api/v1/domain_blocks', { domain: 'gone.test' })
    await as(alice).delete('/api/v1/domain_blocks', { domain: 'gone.test' })
    expect(await homeOf(alice)).toMatchObject([{ id: String(kept) }])
  })
})

describe('POST /api/v1/accounts/:id/remove_from_followers', () => {
  it('remove_from_followers → followed_by false [T-187]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await follow(bob, alice)
    await follow(alice, bob)
    const { body } = await as(alice).post(`/api/v1/accounts/${bob.id}/remove_from_followers`)
    expect(body).toMatchObject({ followed_by: false, following: true })
    expect(await counters(alice)).toMatchObject({ followers_count: 0, following_count: 1 })
    expect(await noticesOf(alice)).toEqual([])
  })

  it('POST /api/v1/accounts/:id/remove_from_followers is no error for an account that does not follow', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const answer = await as(alice).post(`/api/v1/accounts/${bob.id}/remove_from_followers`)
    expect(answer).toMatchObject({ status: 200, body: { followed_by: false } })
  })
})

/** A context whose second trip, the commit, waits until it is released. */
function heldBackAtCommit() {
  const ctx = context()
  const gate = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  let trips = 0
  const db = new Proxy(ctx.db, {
    get(target, key) {
      if (key !== 'batch') return Reflect.get(target, key)
      const send: typeof target.batch = async (statements) => {
        trips += 1
        if (trips === 2) {
          arrival.resolve()
          await gate.promise
        }
        return target.batch(statements)
      }
      return send
    },
  })
  return { ctx: { ...ctx, db }, reached: arrival.promise, release: gate.resolve }
}
