import { describe, expect, it } from 'vitest'
import { accountDomainBlocks, blocks, mutes } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

describe('GET timelines/home', () => {
  it('shows the feed, newest first, in one round trip, to its owner only [T-621]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await storedStatus({ accountId: bob.id, inHomeOf: [alice.id] })
    const second = await storedStatus({ accountId: alice.id, inHomeOf: [alice.id] })
    await storedStatus({ accountId: bob.id })
    const answer = await as(alice).get('/api/v1/timelines/home')
    expect(idsOf(answer)).toEqual([second, first].map(String))
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  })

  it('GET timelines/home is refused without a token; an app token is 422 without Link [T-622]', async () => {
    expect((await anonymous.get('/api/v1/timelines/home')).status).toBe(401)
    const refused = await as(await given.token({ scopes: 'read' })).get('/api/v1/timelines/home')
    expect(refused.status).toBe(422)
    expect(refused.headers.get('Link')).toBeNull()
  })

  it('leaves out blocked, muted and domain-blocked authors, and reblogs of them [T-623]', async () => {
    const [viewer, friend] = [await given.account(), await given.account()]
    const [blocked, muted] = [await given.account(), await given.account()]
    const far = await given.remoteAccount({ domain: 'unwanted.test' })
    const { db, ids } = context()
    const pair = (target: { id: number }) => ({
      id: ids.next(),
      accountId: viewer.id,
      targetAccountId: target.id,
      createdAt: clock.now(),
    })
    await db.insert(blocks).values(pair(blocked))
    await db.insert(mutes).values(pair(muted))
    await db.insert(accountDomainBlocks).values({ accountId: viewer.id, domain: far.domain, id: 1 })
    const inHomeOf = [viewer.id]
    for (const author of [blocked, muted, far]) {
      const status = await storedStatus({ accountId: author.id, inHomeOf, local: author !== far })
      await storedStatus({ accountId: friend.id, reblogOfId: status, inHomeOf })
    }
    const kept = await storedStatus({ accountId: friend.id, inHomeOf })
    expect(idsOf(await as(viewer).get('/api/v1/timelines/home'))).toEqual([String(kept)])
  })

  it('leaves out statuses its viewer may no longer see', async () => {
    const [viewer, author] = [await given.account(), await given.account()]
    await storedStatus({ accountId: author.id, visibility: 'private', inHomeOf: [viewer.id] })
    await storedStatus({ accountId: author.id, visibility: 'direct', inHomeOf: [viewer.id] })
    expect((await as(viewer).get('/api/v1/timelines/home')).body).toEqual([])
  })
})
