import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api'
import { crowdedDatabase, numbers } from '../support/crowded-database'
import { type CrowdedMembers, crowdMembers } from '../support/crowded-members'
import { fetchApp } from '../support/test-app'
import { type Crowd, requestsOf } from '../support/worst-requests'

/** Rows that any request of a member may read. */
const mostRows = 2_000

let crowd: Crowd & { readonly members: CrowdedMembers }
beforeAll(async () => {
  const place = await crowdedDatabase()
  crowd = { ...place, members: await crowdMembers(place) }
})

const Entry = z.looseObject({ id: z.string().optional(), group_key: z.string().optional() })
const Page = z.union([z.array(Entry), z.looseObject({ notification_groups: z.array(Entry) })])

type Who = keyof CrowdedMembers['tokens']

async function ask(who: Who, path: string) {
  const headers = { authorization: `Bearer ${crowd.members.tokens[who]}` }
  const request = new Request(`https://fieldfare.test${path}`, { headers, redirect: 'manual' })
  const { response, costs } = await fetchApp(request, {}, crowd.db)
  await response.body?.cancel()
  return { status: response.status, rows: costs.rowsRead }
}

/** Requests that read too many rows, worst first; a failed answer counts as the worst. */
async function overBudget(who: Who, paths: readonly string[], limit: number): Promise<string[]> {
  const found: { readonly rows: number; readonly path: string }[] = []
  for (const path of paths) {
    const { rows, status } = await ask(who, path)
    if (status >= 500 || status === 401) found.push({ rows: Number.POSITIVE_INFINITY, path })
    else if (rows > limit) found.push({ rows, path })
  }
  return found.toSorted((a, b) => b.rows - a.rows).map(({ rows, path }) => `${rows} rows: ${path}`)
}

const reads = endpoints.filter(({ method }) => method === 'GET')

for (const who of ['alice', 'erin'] as const)
  describe(`a request of ${who} reads at most 2,000 rows among 24,000 statuses`, () => {
    const own = reads.filter(
      ({ auth, path }) =>
        auth.kind !== 'staff' && (who === 'alice' || /timelines|search|statuses|notif|lists/.test(path)),
    )
    for (const endpoint of own)
      it(`GET ${endpoint.path}`, async () => {
        // The former address of an endpoint is the same endpoint: pairs of parameters are asked once.
        const paired = endpoint.path.startsWith('/api/v2_alpha/') ? 0 : 1
        const found = await overBudget(who, requestsOf(crowd, endpoint, paired), mostRows)
        expect(found, found.slice(0, 5).join('\n')).toEqual([])
      }, 240_000)
  })

describe('reads of rare rows among many take 500 rows at most', () => {
  const rare = () => {
    const [favourited, reblogged] = crowd.statuses
    return [
      `/api/v1/statuses/${favourited}/favourited_by`,
      `/api/v1/statuses/${favourited}/favourited_by?limit=80`,
      `/api/v1/statuses/${reblogged}/reblogged_by`,
      `/api/v1/statuses/${reblogged}/reblogged_by?since_id=1`,
      '/api/v1/timelines/tag/crowd?local=true',
      '/api/v1/timelines/tag/crowd?all[]=rare',
      '/api/v1/timelines/tag/crowd?all[]=none',
      '/api/v1/timelines/tag/crowd?any[]=rare&all[]=crowd',
      '/api/v1/timelines/tag/crowd?any[]=rare&all[]=even',
      '/api/v1/timelines/tag/even?all[]=odd',
      // Followers only, of an author whom the viewer does not follow.
      '/api/v1/accounts/1/statuses',
      '/api/v1/accounts/1/statuses?tagged=rare',
      '/api/v1/accounts/2/statuses?only_media=true',
      '/api/v1/accounts/familiar_followers?id[]=2000001',
      '/api/v1/notifications?types[]=poll',
      '/api/v1/notifications?account_id=2000001',
    ]
  }

  it.each(['alice', 'erin'] as const)('reads rare rows of %s', async (who) => {
    expect(await overBudget(who, rare(), 500)).toEqual([])
  })

  it('reads for another server that fetches replies', async () => {
    const path = `/users/alice/statuses/${crowd.statuses[0]}/replies`
    for (const query of ['', '?page=true', '?page=true&only_other_accounts=true']) {
      const request = new Request(`https://fieldfare.test${path}${query}`, {
        headers: { accept: 'application/activity+json' },
      })
      const { response, costs } = await fetchApp(request, {}, crowd.db)
      await response.body?.cancel()
      expect(response.status).toBe(200)
      expect(costs.rowsRead).toBeLessThanOrEqual(500)
    }
  })
})

describe('a search of hundreds of local accounts that the viewer follows', () => {
  beforeAll(async () => {
    const id = '7000000 + n.i'
    const from = `from ${numbers(600)}`
    await crowd.db.batch(
      [
        `insert into accounts (id, username, display_name, created_at, updated_at) select ${id}, 'wren' || n.i, 'Wren', 1, 1 ${from}`,
        `insert into users (account_id, email, password_hash, confirmed_at, created_at)
          select ${id}, 'wren' || n.i || '@mail.test', '', 1, 1 ${from}`,
        `insert into follows (id, account_id, target_account_id, created_at) select ${id}, 1, ${id}, 1 ${from}`,
      ].map((text) => crowd.db.prepare(text)),
    )
  })

  it.each([
    '/api/v1/accounts/search?q=wren&limit=80',
    '/api/v1/accounts/search?q=wren&limit=80&offset=300',
    '/api/v1/accounts/search?q=wren&limit=80&offset=100000',
    '/api/v1/accounts/search?q=wren&limit=80&following=true',
    '/api/v2/search?q=wren&limit=40',
    '/api/v2/search?q=wren&limit=40&type=accounts&offset=300',
  ])('reads 2,000 rows at most: %s', async (path) => {
    expect(await overBudget('alice', [path], mostRows)).toEqual([])
  })
})

describe('a status with hundreds of interactions by visible accounts', () => {
  const id = 7_900_000
  beforeAll(async () => {
    const person = `${id} + n.i`
    const from = `from ${numbers(600)}`
    const status = `insert into statuses (id, account_id, uri, local, visibility, conversation_id, created_at, reblog_of_id,
      favourites_count, reblogs_count)`
    await crowd.db.batch(
      [
        `insert into accounts (id, username, created_at, updated_at) select ${person}, 'heron' || n.i, 1, 1 ${from}`,
        `insert into users (account_id, email, password_hash, confirmed_at, created_at)
          select ${person}, 'heron' || n.i || '@mail.test', '', 1, 1 ${from}`,
        `${status} values (${id}, 1, null, 1, 'public', ${id}, 1, null, 600, 600)`,
        `insert into favourites (id, account_id, status_id) select ${person}, ${person}, ${id} ${from}`,
        `${status} select 1000000 + ${person}, ${person}, 'https://herons.test/s/' || n.i, 0, 'public', ${person}, 1, ${id}, 0, 0 ${from}`,
      ].map((text) => crowd.db.prepare(text)),
    )
  })

  it.each(['favourited_by', 'reblogged_by'])(
    'lists eighty accounts at 500 rows at most: %s',
    async (list) => {
      const path = `/api/v1/statuses/${id}/${list}?limit=80`
      const all = `/api/v1/statuses/${id}/${list}?since_id=1`
      const paths = [path, `${path}&max_id=${id + 300}`, `${path}&min_id=${id + 300}`, all, `${all}&limit=80`]
      for (const who of ['alice', 'erin'] as const) expect(await overBudget(who, paths, 500)).toEqual([])
    },
  )

  it.each(['favourited_by', 'reblogged_by'])(
    'starts with the last account after an unknown id: %s',
    async (list) => {
      const path = `/api/v1/statuses/${id}/${list}?limit=80&since_id=${id - 1}`
      expect(await overBudget('alice', [path], 500)).toEqual([])
      const { response } = await fetchApp(new Request(`https://fieldfare.test${path}`), {}, crowd.db)
      const [first] = z.array(z.object({ id: z.string() })).parse(await response.json())
      expect(Number(first?.id)).toBe(id + 599)
    },
  )
})

describe('a member whose follows are all with two servers', () => {
  /** Accounts of each server, all with follows to and from the member. */
  const servers = { 'small.herons.test': 80, 'large.herons.test': 400 }

  beforeAll(async () => {
    for (const [nth, [domain, count]] of Object.entries(servers).entries()) {
      const id = `${8_000_000 + 1_000 * nth} + n.i`
      const from = `from ${numbers(count)}`
      const follow = 'insert into follows (id, account_id, target_account_id, created_at)'
      await crowd.db.batch(
        [
          `insert into accounts (id, username, domain, uri, created_at, updated_at)
            select ${id}, 'egret' || n.i, '${domain}', 'https://${domain}/' || n.i, 1, 1 ${from}`,
          `${follow} select ${id}, 5, ${id}, 1 ${from}`,
          `${follow} select 10000 + ${id}, ${id}, 5, 1 ${from}`,
        ].map((text) => crowd.db.prepare(text)),
      )
    }
  })

  it.each(Object.keys(servers))('previews what a block of %s would end, at 500 rows', async (domain) => {
    expect(await overBudget('erin', [`/api/v1/domain_blocks/preview?domain=${domain}`], 500)).toEqual([])
  })
})

describe('short pages have a Link header to the next page', () => {
  /** Ids of all pages from `path` on, and the lengths of the pages. */
  async function follow(path: string) {
    const ids: string[] = []
    const lengths: number[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const headers = { authorization: `Bearer ${crowd.members.tokens.alice}` }
      const { response } = await fetchApp(
        new Request(`https://fieldfare.test${next}`, { headers }),
        {},
        crowd.db,
      )
      const found = Page.parse(await response.json())
      const entries = 'notification_groups' in found ? found.notification_groups : found
      ids.push(...entries.map((entry) => entry.id ?? entry.group_key ?? ''))
      lengths.push(entries.length)
      expect(lengths.length).toBeLessThan(200)
      next = /<https:\/\/[^/]+([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(new Set(ids).size).toBe(ids.length)
    return { ids, lengths }
  }

  it('links further pages of reblogs, each with a quote', async () => {
    const { ids, lengths } = await follow('/api/v1/accounts/4/statuses?limit=40')
    expect(ids).toHaveLength(400 + 10)
    expect(lengths).toEqual([...Array(10).fill(40), 10])
  })

  it('links further pages of mostly hidden accounts, also where a page is empty', async () => {
    const { ids, lengths } = await follow(`/api/v1/statuses/${crowd.statuses[0]}/favourited_by?limit=80`)
    expect(ids).toHaveLength(60 + 1)
    expect(lengths[0]).toBe(0)
  })

  it.each(['bookmarks', 'favourites'])(
    'links further pages of %s, most of which are of hidden statuses',
    async (list) => {
      const { ids, lengths } = await follow(`/api/v1/${list}?limit=40`)
      expect(ids).toHaveLength(40 + 40)
      expect(lengths).toContain(0)
    },
  )

  it.each([
    '/api/v1/notifications?types[]=mention&limit=80',
    '/api/v2/notifications?types[]=mention&limit=80',
  ])('links further pages of notifications of a rare type: %s', async (path) => {
    const { ids, lengths } = await follow(path)
    expect(ids).toHaveLength(40)
    expect(lengths.filter((length) => length === 0).length).toBeGreaterThan(1)
  })
})
