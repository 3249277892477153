import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '../../../src/db/schema'
import { acceptAllFollowRequests } from '../../../src/domain/relationships/requests'
import type { Job } from '../../../src/messages/jobs'
import { anonymous, as } from '../../support/as'
import { fakeQueue } from '../../support/fake-queue'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { context, settleLateWork } from '../../support/test-app'

const followersOf = async (id: number) => (await anonymous.get(`/api/v1/accounts/${id}`)).body

describe('acceptAllFollowRequests', () => {
  it('accepts a hundred at once and the rest by a job, and counts once when it runs twice', async () => {
    const jobs: Job[] = []
    const ctx = context({ jobs: { send: async (job) => void jobs.push(job) } })
    const alice = await given.account()
    const askers = await Promise.all(Array.from({ length: 105 }, () => given.remoteAccount()))
    await Promise.all(askers.map((asker) => relation.followRequest(asker, alice)))
    const [first] = askers
    if (first === undefined) throw new Error('nobody')
    await relation.follow(first, alice)
    await acceptAllFollowRequests(ctx, alice.id)
    expect(jobs).toEqual([{ kind: 'accept-follow-requests', accountId: alice.id }])
    await acceptAllFollowRequests(ctx, alice.id)
    await acceptAllFollowRequests(ctx, alice.id)
    await settleLateWork()
    expect(jobs.filter(({ kind }) => kind !== 'run-effects')).toHaveLength(1)
    expect(await followersOf(alice.id)).toMatchObject({ followers_count: 105 })
    expect(await followersOf(first.id)).toMatchObject({ following_count: 1 })
    const left = await context().db.all(
      sql`select 1 from follow_requests where target_account_id = ${alice.id}`,
    )
    expect(left).toEqual([])
  })

  it('runs the effects of twenty requests in parts, each within the limits of an invocation', async () => {
    const queue = fakeQueue()
    const alice = await given.account()
    await context().db.update(accounts).set({ locked: true }).where(sql`id = ${alice.id}`)
    const askers = await given.accounts(20)
    for (const asker of askers) await relation.followRequest(asker, alice)
    const post = await given.status({ by: alice })
    const overrides = { jobs: queue.ctx.jobs }
    const unlocked = await as(alice).patch(
      '/api/v1/accounts/update_credentials',
      { locked: false },
      { overrides },
    )
    expect(unlocked.status).toBe(200)
    await settleLateWork()
    // The acceptance, and a job for each six of its effects but the first.
    expect((await queue.work()).length).toBeGreaterThanOrEqual(4)
    for (const asker of askers)
      expect((await as(asker).get('/api/v1/timelines/home')).body).toMatchObject([{ id: String(post.id) }])
    expect(
      await context().db.all(sql`select 1 from outbox where event ->> 'targetAccountId' = ${alice.id}`),
    ).toEqual([])
  })

  it('does nothing once the account approves its followers again', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.followRequest(bob, alice)
    await context().db.update(accounts).set({ locked: true }).where(sql`id = ${alice.id}`)
    await acceptAllFollowRequests(context(), alice.id)
    expect(await followersOf(alice.id)).toMatchObject({ followers_count: 0 })
  })
})
