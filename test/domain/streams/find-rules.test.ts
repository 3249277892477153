import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { findRules } from '../../../src/domain/streams/find-rules'
import { countingDb } from '../../support/costs'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { givenFilter } from '../../support/given-filter'
import { relation } from '../../support/given-relationships'
import { clock, context } from '../../support/test-app'

function counted() {
  const { db, read } = countingDb(env.DB)
  return { ctx: context({ db: openDb(db) }), read }
}

it('finds all rules of a viewer in one round trip, and of no other account', async () => {
  const [viewer, other, bystander] = await given.accounts(3)
  if (viewer === undefined || other === undefined || bystander === undefined) return
  const until = new Date(clock.now().getTime() + 60_000)
  await relation.block(viewer, other)
  await relation.block(other, viewer)
  await relation.mute(viewer, bystander, { hideNotifications: false, expiresAt: until })
  await relation.block(bystander, other)
  await relation.mute(bystander, viewer)
  await givenFilter(viewer, { words: ['thrush', 'wren'] })
  await givenFilter(other, { words: ['hawk'] })
  const { ctx, read } = counted()
  const { hiding, filters } = await findRules(ctx, viewer.id)
  expect(hiding).toEqual({
    blocks: new Set([other.id]),
    blockedBy: new Set([other.id]),
    mutes: new Map([[bystander.id, { hidesNotifications: false, expiresAt: until }]]),
    domains: new Set(),
    languages: null,
  })
  expect(filters.map(({ keywords }) => keywords.map(({ keyword }) => keyword))).toEqual([['thrush', 'wren']])
  expectCosts(read(), { trips: 1, rowsWritten: 0 })
})

it('finds all rules where there are more than one read returns', async () => {
  const viewer = await given.account()
  const count = 20_001
  await context().db.run(sql`insert into account_domain_blocks (account_id, domain, id)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    select ${viewer.id}, 'host' || i || '.test', i from n`)
  const { ctx, read } = counted()
  const { hiding } = await findRules(ctx, viewer.id)
  expect(hiding.domains.size).toBe(count)
  expect(read().trips).toBeLessThanOrEqual(2)
})
