import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openDb } from '../../../src/db/query'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import { refreshTrends } from '../../../src/domain/trends/refresh'
import { dayMilliseconds } from '../../../src/lib/days'
import { anonymous } from '../../support/as'
import { countingDb } from '../../support/costs'
import { type CrowdPost, deleteTrends, givenCrowd, midnight } from '../../support/crowd'
import { clock, context } from '../../support/test-app'

const hour = 3_600_000

const start = clock.now()
const many = { trendMinimumAccounts: 15, trendMinimumTagAccounts: 15, trendMinimumInteractions: 5 }
const unset = { trendMinimumAccounts: 15, trendMinimumTagAccounts: null, trendMinimumInteractions: null }
beforeAll(async () => {
  // Days that no other file posts on.
  clock.advance(2_000 * dayMilliseconds)
  await deleteTrends()
  await saveSettings(context(), operator, { trendableByDefault: true, ...many })
})
afterAll(async () => {
  await deleteTrends()
  await saveSettings(context(), operator, { trendableByDefault: false, ...unset })
  clock.set(start)
})

const Item = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  url: z.string().nullish(),
})

/** Trends, highest first: names, ids or addresses. */
async function trending(kind: 'tags' | 'statuses' | 'links') {
  const { body } = await anonymous.get(`/api/v1/trends/${kind}?limit=20`, {
    headers: { 'accept-language': 'en' },
  })
  return z
    .array(Item)
    .parse(body)
    .map(({ id, name, url }) => (kind === 'tags' ? name : kind === 'links' ? url : id))
}

/** So many people post the same from `hour` o'clock on. */
function wave(day: number, count: number, what: Partial<CrowdPost>, from = 0, at = 8): CrowdPost[] {
  return Array.from({ length: count }, (_, index) => ({
    at: day + at * hour + index * 60_000,
    by: from + index,
    ...what,
  }))
}

describe('trends', () => {
  it('finds the known winners of each day of a generated month', async () => {
    const crowd = await givenCrowd('monthly', 80)
    for (let number = 0; number < 30; number += 1) {
      const day = midnight()
      const size = 18 + (number % 5) * 6
      const steady = Array.from({ length: 6 }, (_, index) =>
        wave(day, 16, { tag: `steady${index}`, link: `https://daily${index}.monthly.test/` }, index * 7),
      )
      const small = Array.from({ length: 4 }, (_, index) =>
        wave(day, 11 + index, {
          tag: `small${index}day${number}`,
          link: `https://s${index}.monthly.test/${number}`,
        }),
      )
      await crowd.post([
        ...steady.flat(),
        ...small.flat(),
        ...wave(day, size, { tag: `winner${number}`, link: `https://news.monthly.test/${number}` }, number),
        ...wave(day, size - 2, { tag: `second${number}` }, number, 9),
      ])
      const [, loved] = await crowd.post([
        { at: day + 11 * hour, by: 3, favourites: 30 },
        { at: day + 11 * hour, by: 5, favourites: 40 + number },
        { at: day + 11 * hour, by: 7, favourites: 4 },
      ])
      clock.set(new Date(day + 12 * hour))
      await refreshTrends(context())
      const [tags, links, statuses] = [
        await trending('tags'),
        await trending('links'),
        await trending('statuses'),
      ]
      expect(tags.slice(0, 2)).toEqual([`winner${number}`, `second${number}`])
      expect(links[0]).toBe(`https://news.monthly.test/${number}`)
      expect(statuses[0]).toBe(String(loved))
      expect(statuses).toHaveLength(2)
      expect([...tags, ...links].filter((name) => name?.includes('small') || name?.includes('//s'))).toEqual(
        [],
      )
      // Used as much as on the day before: nothing new after the first day, whose peak lasts two days.
      if (number > 2) expect(tags.filter((name) => name?.startsWith('steady'))).toEqual([])
      clock.set(new Date(day + dayMilliseconds))
    }
  })

  it('a tag or link trends once as many accounts posted it as its setting demands', async () => {
    const crowd = await givenCrowd('edge', 40)
    const day = midnight() + dayMilliseconds
    await crowd.post([
      ...wave(day, 14, { tag: 'fourteen', link: 'https://edge.test/14' }),
      ...wave(day, 15, { tag: 'fifteen', link: 'https://edge.test/15' }),
      // Many posts of few accounts are few accounts.
      ...wave(day, 14, { tag: 'busy', link: 'https://edge.test/busy' }),
      ...wave(day, 14, { tag: 'busy', link: 'https://edge.test/busy' }, 0, 9),
    ])
    clock.set(new Date(day + 12 * hour))
    const edge = async () => [
      (await trending('tags')).filter((name) => ['fourteen', 'fifteen', 'busy'].includes(name ?? '')),
      (await trending('links')).filter((url) => url?.startsWith('https://edge.test/')),
    ]
    await refreshTrends(context())
    expect(await edge()).toEqual([['fifteen'], ['https://edge.test/15']])
    await saveSettings(context(), operator, { trendMinimumTagAccounts: 14 })
    await refreshTrends(context())
    expect((await edge()).map((list) => list.length)).toEqual([3, 1])
    await saveSettings(context(), operator, { trendMinimumAccounts: 14 })
    await refreshTrends(context())
    expect((await edge()).map((list) => list.length)).toEqual([3, 3])
    await saveSettings(context(), operator, many)
  })

  it.each([
    { active: 49, trending: { tags: [2, 5], statuses: [2, 5], links: [] } },
    { active: 50, trending: { tags: [5], statuses: [5], links: [] } },
  ])('tags and posts need fewer accounts to trend on a small server: $active active people', async (size) => {
    const { active, trending: expected } = size
    await deleteTrends()
    await saveSettings(context(), operator, unset)
    const crowd = await givenCrowd(`size${active}`, 20)
    const day = midnight() + dayMilliseconds
    const url = (accounts: number) => `https://size${active}.test/${accounts}`
    const tag = (accounts: number) => `size${active}used${accounts}`
    await crowd.post(
      [1, 2, 5].flatMap((accounts) => wave(day, accounts, { tag: tag(accounts), link: url(accounts) })),
    )
    const liked = new Map<number, string>()
    for (const favourites of [1, 2, 5]) {
      const [id] = await crowd.post([{ at: day + 8 * hour, by: 10 + favourites, favourites }])
      liked.set(favourites, String(id))
    }
    clock.set(new Date(day + 9 * hour))
    await env.DB.prepare("update counters set value = ? where name = 'active_month'").bind(active).run()
    await refreshTrends(context())
    const [tags, statuses, links] = [
      await trending('tags'),
      await trending('statuses'),
      await trending('links'),
    ]
    const found = {
      tags: [1, 2, 5].filter((accounts) => tags.includes(tag(accounts))),
      statuses: [1, 2, 5].filter((favourites) => statuses.includes(liked.get(favourites))),
      links: [1, 2, 5].filter((accounts) => links.includes(url(accounts))),
    }
    expect(found).toEqual(expected)
    await saveSettings(context(), operator, many)
  })

  it('finding trends costs at most 50,000 rows among 10,000 statuses and 2,000 links a day', async () => {
    await deleteTrends()
    const crowd = await givenCrowd('large', 500)
    const day = midnight() + dayMilliseconds
    const posts = Array.from({ length: 10_000 }, (_, index): CrowdPost => {
      // Few hashtags and pages are used by many, most by few.
      const rank = Math.floor(300 / (1 + (index % 300)))
      return {
        at: day + index * 8_000,
        by: (index * 7) % 500,
        tag: index % 2 === 0 ? `large${rank}` : `rare${index}`,
        ...(index % 4 === 0 ? { link: `https://large.test/${index % 8 === 0 ? rank : index}` } : {}),
        favourites: index % 10 === 0 ? 10 + (index % 50) : 0,
      }
    })
    await crowd.post(posts)
    const links = await crowd.post(
      Array.from({ length: 2_000 }, (_, index) => ({
        at: day + index * 40_000 + 3,
        by: index % 500,
        link: `https://large.test/${index}`,
      })),
    )
    expect(links).toHaveLength(2_000)
    clock.set(new Date(day + 23 * hour))
    const costs = []
    for (let run = 0; run < 3; run += 1) {
      const counted = countingDb(env.DB)
      await refreshTrends(context({ db: openDb(counted.db) }))
      costs.push(counted.read())
      clock.advance(10 * 60_000)
    }
    for (const { rowsRead, trips } of costs) {
      expect(rowsRead).toBeLessThanOrEqual(50_000)
      expect(trips).toBeLessThanOrEqual(9)
    }
    expect((await trending('tags')).length).toBeGreaterThan(0)
  })
})
