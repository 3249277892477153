import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { receivedActivities } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import {
  deduplicateActivity,
  pruneReceivedActivities,
  tombstoneActivity,
  wasReceived,
} from '../../../src/domain/core/received-activities'
import { Conflict } from '../../../src/errors'
import { clock, context } from '../../support/test-app'

const day = 86_400_000

it('accepts an activity once, also when two copies race [T-634]', async () => {
  const ctx = context()
  const uri = 'https://a.test/activities/1'
  const one = () => {
    const changes = new Changes()
    deduplicateActivity(ctx, changes, uri)
    return commit(ctx, changes)
  }
  await one()
  await expect(one()).rejects.toThrow(Conflict)
  expect(await execute(ctx.db, wasReceived(ctx, uri))).toBe(true)
  expect(await execute(ctx.db, wasReceived(ctx, `${uri}0`))).toBe(false)
  expect(await execute(ctx.db, wasReceived(ctx, null))).toBe(false)
})

it('deletes activities after thirty days, some thousands at a time and finally all', async () => {
  const start = clock.now()
  const ctx = context()
  const count = async () => {
    const all = await ctx.db.select({ uri: receivedActivities.uri }).from(receivedActivities)
    return all.filter(({ uri }) => uri.startsWith('https://old.test/')).length
  }
  const old = Array.from({ length: 4_500 }, (_, index) => `https://old.test/${index}`)
  const today = Math.floor(start.getTime() / day)
  await ctx.db.run(sql`insert into ${receivedActivities} (uri, day)
    select value, ${today} from json_each(${JSON.stringify(old)})`)
  clock.set(new Date(start.getTime() + 31 * day))
  const fresh = new Changes()
  tombstoneActivity(ctx, fresh, ['https://old.test/fresh'])
  await commit(ctx, fresh)
  await pruneReceivedActivities(context())
  const left = await count()
  expect(left).toBeGreaterThan(2_000)
  for (const _ of [1, 2, 3, 4]) await pruneReceivedActivities(context())
  expect(await count()).toBe(1)
  clock.set(start)
})

it('keeps activities for fewer days where one round does not delete them all', async () => {
  const start = clock.now()
  const ctx = context()
  const today = Math.floor(start.getTime() / day)
  const many = Array.from({ length: 40 }, (_, index) => ({
    uri: `https://flood.test/${index}`,
    day: today - index,
  }))
  await ctx.db.run(sql`insert into ${receivedActivities} (uri, day)
    select value ->> 'uri', value ->> 'day' from json_each(${JSON.stringify(many)})`)
  const left = async () => {
    const all = await ctx.db.select().from(receivedActivities)
    return all.filter(({ uri }) => uri.startsWith('https://flood.test/')).map((row) => today - row.day)
  }
  const round = async (most: number) => {
    for (const _ of [1, 2, 3, 4, 5]) await pruneReceivedActivities(context(), { most, leastDays: 2 })
  }
  await round(1_000_000)
  expect(Math.max(...(await left()))).toBe(30)
  await round(1)
  expect(Math.max(...(await left()))).toBe(2)
  // Once there are few again, everything is kept for its time.
  await round(1_000_000)
  const fresh = { uri: 'https://flood.test/fresh', day: today - 20 }
  await ctx.db.insert(receivedActivities).values(fresh)
  await round(1_000_000)
  expect(Math.max(...(await left()))).toBe(20)
})
