import { describe, expect, it } from 'vitest'
import { homeEntries, statuses } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import { clock, context } from '../support/world'

describe('GET /api/v1/timelines/home', () => {
  it('shows what is in the feed, newest first, in one trip', async () => {
    const alice = await given.account()
    const ctx = context()
    const id = ctx.ids.next()
    await ctx.db.insert(statuses).values({
      id,
      accountId: alice.id,
      local: true,
      visibility: 'public',
      content: '<p>hi</p>',
      conversationId: id,
      createdAt: clock.now(),
    })
    await ctx.db.insert(homeEntries).values({ accountId: alice.id, statusId: id })
    const answer = await as(alice).get('/api/v1/timelines/home')
    expect(answer.body).toMatchObject([{ id: String(id), content: '<p>hi</p>' }])
    expect(answer.costs.trips).toBe(1)
  })
  it('is refused without a token', async () => {
    expect((await anonymous.get('/api/v1/timelines/home')).status).toBe(401)
  })
})
