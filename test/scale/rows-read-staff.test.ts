import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api'
import { crowdedDatabase, many, numbers } from '../support/crowded-database'
import { type CrowdedMembers, crowdMembers } from '../support/crowded-members'
import { rebuildLists } from '../support/rebuild-lists'
import { clock, fetchApp } from '../support/test-app'
import { type Crowd, requestsOf } from '../support/worst-requests'

/** Rows and round trips that a request of a moderator may take, whatever its parameters. */
const most = { rows: 400, trips: 3 }

/** Endpoints that are no lists in pages, with what their worst requests take and why. */
const above: Readonly<Record<string, { readonly rows: number }>> = {
  // Files and sums over lists of limits of any length, which are cached, or read as they are up to 900.
  '/api/fieldfare/v1/admin/domain_blocks/export': { rows: 950 },
  '/api/fieldfare/v1/admin/blocklists/:id/preview': { rows: 1_900 },
  // Sums counters of up to 400 servers below a domain.
  '/api/fieldfare/v1/admin/domain_blocks/preview': { rows: 850 },
  // Shows the command line everything that trends, up to 1,000 of each kind.
  '/api/fieldfare/v1/admin/trends': { rows: 10_000 },
}

let crowd: Crowd & { readonly members: CrowdedMembers }
beforeAll(async () => {
  const place = await crowdedDatabase()
  crowd = { ...place, members: await crowdMembers(place) }
  const now = clock.now().getTime()
  await place.db.batch([
    place.db.prepare(`insert into accounts (id, username, domain, uri, display_name, created_at, updated_at)
      select 3000000 + n.i, 'r' || n.i, 's' || (n.i % 50) || '.test', 'https://r.test/' || n.i, 'Bob', ${now}, ${now}
      from ${numbers(94_000)}`),
    // The moderator follows every hashtag.
    place.db.prepare(`insert into tag_follows (id, account_id, tag_id, created_at)
      select 900000 + n.i, 6, 100 + n.i, ${now} from ${numbers(many)}`),
    // And has interacted with each trending status.
    place.db.prepare(`insert into favourites (id, account_id, status_id)
      select 800000 + rowid, 6, status_id from trending_statuses`),
    place.db.prepare(`insert into bookmarks (id, account_id, status_id)
      select 800000 + rowid, 6, status_id from trending_statuses`),
    place.db.prepare(
      `insert into status_mentions (status_id, account_id) select status_id, 6 from trending_statuses`,
    ),
    place.db.prepare(`insert into poll_votes (poll_id, account_id, choice) select s.poll_id, 6, n.i
      from trending_statuses t join statuses s on s.id = t.status_id, ${numbers(2)}`),
  ])
})

async function ask(path: string) {
  const headers = { authorization: `Bearer ${crowd.members.tokens.boss}` }
  const request = new Request(`https://fieldfare.test${path}`, { headers, redirect: 'manual' })
  const { response, costs } = await fetchApp(request, {}, crowd.db)
  const text = await response.text()
  const link = response.headers.get('link') ?? ''
  return { status: response.status, text, link, rows: costs.rowsRead, trips: costs.trips }
}

const reads = endpoints.filter(({ method, auth }) => method === 'GET' && auth.kind === 'staff')

describe('a request of a moderator reads 400 rows in three round trips at most among 100,000 accounts', () => {
  for (const endpoint of reads)
    it(`GET ${endpoint.path}`, async () => {
      const { rows } = above[endpoint.path] ?? most
      const found: string[] = []
      for (const path of requestsOf(crowd, endpoint, 1)) {
        const answer = await ask(path)
        if (answer.status >= 500 || answer.status === 401 || answer.rows > rows || answer.trips > most.trips)
          found.push(`${answer.status}, ${answer.rows} rows, ${answer.trips} trips: ${path}`)
      }
      expect(found, found.slice(0, 5).join('\n')).toEqual([])
    })
})

describe('the file of all limits', () => {
  it('the file of all limits has each limit once, however many', async () => {
    await rebuildLists(crowd.db)
    const whole = await ask('/api/fieldfare/v1/admin/domain_blocks/export')
    const { csv } = JSON.parse(whole.text)
    const domains = csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line: string) => line.split(',')[0])
    expect(new Set(domains).size).toBe(domains.length)
    expect(domains).toHaveLength(many)
    expect(whole.trips).toBeLessThanOrEqual(most.trips)
    expect(whole.rows).toBeLessThan(100)
  })

  it('the file of all limits is complete also where its cache is missing', async () => {
    await crowd.db.exec("delete from settings where key like 'kept.%'")
    const { text } = await ask('/api/fieldfare/v1/admin/domain_blocks/export')
    expect(JSON.parse(text).csv.trim().split('\n')).toHaveLength(1 + many)
  })
})

describe('trending statuses of moderators', () => {
  /** Ids on each page, by the Link header of the page before, and the rows that the costliest of them read. */
  async function walk(first: string) {
    const pages: string[][] = []
    let rows = 0
    for (let path: string | undefined = first; path !== undefined; ) {
      const page = await ask(path)
      pages.push(
        z
          .array(z.looseObject({ id: z.string() }))
          .parse(JSON.parse(page.text))
          .map(({ id }) => id),
      )
      rows = Math.max(rows, page.rows)
      path = /<https:\/\/fieldfare\.test([^>]*)>; rel="next"/.exec(page.link)?.[1]
    }
    return { pages, rows }
  }

  it('short pages link to each trending status once', async () => {
    const { results } = await crowd.db
      .prepare('select status_id as id from trending_statuses order by rank desc, status_id desc')
      .all<{ id: number }>()
    const { pages, rows } = await walk('/api/v1/admin/trends/statuses?limit=40')
    expect(pages[0]?.length).toBeLessThan(40)
    expect(pages.flat()).toEqual(results.map(({ id }) => String(id)))
    expect(rows).toBeLessThanOrEqual(most.rows)
  })

  it('trending statuses of moderators have forty statuses to a page where none is hidden', async () => {
    await crowd.db.batch(
      [
        'delete from quotes',
        'delete from favourites where account_id = 6',
        'delete from bookmarks where account_id = 6',
        'delete from status_mentions where account_id = 6',
        `update statuses set card = null, poll_id = null, application_id = null, linked_collections = '[]'
          where id in (select status_id from trending_statuses)`,
      ].map((text) => crowd.db.prepare(text)),
    )
    const { pages, rows } = await walk('/api/v1/admin/trends/statuses?limit=40')
    expect(pages.map(({ length }) => length).slice(0, 2)).toEqual([40, 40])
    expect(pages.flat()).toHaveLength(100)
    expect(rows).toBeLessThanOrEqual(most.rows)
  })
})
