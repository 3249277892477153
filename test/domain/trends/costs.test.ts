import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { updatePopularAccounts } from '../../../src/domain/suggestions/compute'
import { refreshTrends } from '../../../src/domain/trends/refresh'
import { type Costs, countingDb } from '../../support/costs'
import { favouredStatus, fewAccounts, linkedPage, trendsRefreshed, usedTag } from '../../support/given-trends'
import { clock, context } from '../../support/test-app'

/** Costs of a periodic task at the database. */
async function costsOf(task: typeof refreshTrends): Promise<Costs> {
  const counted = countingDb(env.DB)
  await task(context({ db: openDb(counted.db) }))
  return counted.read()
}

it('finds trends among a bounded number of posts, in nine round trips, and writes nothing without activity', async () => {
  for (let index = 0; index < 4; index += 1) {
    await usedTag(6)
    await favouredStatus(20)
    await linkedPage(6)
  }
  await saveSettings(context(), operator, fewAccounts)
  const first = await costsOf(refreshTrends)
  expect(first.trips).toBeLessThanOrEqual(9)
  expect(first.rowsWritten).toBeGreaterThan(10)
  clock.advance(60_000)
  const second = await costsOf(refreshTrends)
  expect(second.trips).toBeLessThanOrEqual(9)
  expect(second.rowsWritten).toBe(0)
  expect(second.rowsRead).toBeLessThan(15_000)
})

it('does not count a full day to its end', async () => {
  const tag = await usedTag(230)
  await trendsRefreshed()
  const [row] = await env.DB.prepare(
    `select history ->> '$[0][0]' as uses from trending_tags join tags on tags.id = tag_id where name = ?`,
  )
    .bind(tag)
    .all<{ uses: number }>()
    .then(({ results }) => results)
  expect(row?.uses).toBe(200)
})

it('finds popular accounts in two round trips', async () => {
  const { trips, rowsRead } = await costsOf(updatePopularAccounts)
  expect(trips).toBeLessThanOrEqual(2)
  expect(rowsRead).toBeLessThan(25_000)
})
