import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { crowdedDatabase } from '../support/crowded-database'
import { type CrowdedMembers, crowdMembers } from '../support/crowded-members'
import { fetchApp } from '../support/test-app'
import { type Crowd, requestsOf } from '../support/worst-requests'

/** Rows that any request of a member or moderator may read. */
const mostRows = 2_000

/** Endpoints whose worst requests read more, with the reason. */
const above: Readonly<Record<string, number>> = {
  // Forty statuses that each have a poll, a quote, a preview with its creator and linked collections, or reblogs of such.
  '/api/v1/accounts/:id/statuses': 2_250,
  '/api/v1/notifications': 2_700,
  '/api/v2/notifications': 2_600,
  '/api/v2_alpha/notifications': 2_600,
  // Filters of an account at once, which have a thousand keywords at most.
  '/api/v1/filters': 2_200,
  '/api/v2/filters': 2_200,
  // Lists that go through every row still.
  '/api/v1/followed_tags': 2_900,
  '/api/fieldfare/v1/admin/audit_log': 6_100,
  '/api/fieldfare/v1/admin/custom_emojis': 3_300,
  '/api/fieldfare/v1/admin/blocklists/:id/preview': 3_100,
  '/api/fieldfare/v1/admin/domain_blocks/export': 3_100,
}

let crowd: Crowd & { readonly members: CrowdedMembers }
beforeAll(async () => {
  const place = await crowdedDatabase()
  crowd = { ...place, members: await crowdMembers(place) }
}, 120_000)

// Each request leaves a timer for its next turn, of which a runtime has ten thousand.
afterEach(() => new Promise((resolve) => setTimeout(resolve, 0)))

type Who = keyof CrowdedMembers['tokens']

async function ask(who: Who, path: string) {
  const headers = { authorization: `Bearer ${crowd.members.tokens[who]}` }
  const request = new Request(`https://fieldfare.test${path}`, { headers, redirect: 'manual' })
  const { response, costs } = await fetchApp(request, {}, crowd.db)
  await response.body?.cancel()
  return { status: response.status, rows: costs.rowsRead }
}

/** Requests that read too many rows, worst first; a failed answer counts as the worst. */
async function tooDear(who: Who, paths: readonly string[], limit: number): Promise<string[]> {
  const found: { readonly rows: number; readonly path: string }[] = []
  for (const path of paths) {
    const { rows, status } = await ask(who, path)
    if (status >= 500 || status === 401) found.push({ rows: Number.POSITIVE_INFINITY, path })
    else if (rows > limit) found.push({ rows, path })
  }
  return found.toSorted((a, b) => b.rows - a.rows).map(({ rows, path }) => `${rows} rows: ${path}`)
}

const reads = endpoints.filter(({ method }) => method === 'GET')

for (const who of ['alice', 'erin', 'boss'] as const)
  describe(`a request of ${who} reads at most 2,000 rows among 24,000 statuses`, () => {
    const own = reads.filter(
      ({ auth, path }) =>
        (who === 'boss') === (auth.kind === 'staff') &&
        (who !== 'erin' || /timelines|search|statuses|notif/.test(path)),
    )
    for (const endpoint of own)
      it(`GET ${endpoint.path}`, async () => {
        const found = await tooDear(who, requestsOf(crowd, endpoint, 1), above[endpoint.path] ?? mostRows)
        expect(found, found.slice(0, 5).join('\n')).toEqual([])
      }, 240_000)
  })
