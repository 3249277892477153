import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { openDb } from '../../src/db/query'
import { recordCronRun } from '../../src/domain/health/task-runs'
import { type CrowdedDatabase, crowdedDatabase } from '../support/crowded-database'
import { context, fetchApp, routes } from '../support/test-app'
import { pathsOf, requestsOf } from '../support/worst-requests'

/** Rows that any request of a stranger may read, whatever it asks for and however many there are. */
const mostRows = 2_000

let place: CrowdedDatabase
beforeAll(async () => {
  place = await crowdedDatabase()
  // As on a server whose cron runs: /health answers 503 otherwise.
  await recordCronRun(context({ db: openDb(place.db) }))
})

interface Answer {
  readonly status: number
  readonly rows: number
  readonly text: string
  readonly links: ReadonlyMap<string, string>
}

async function ask(path: string, accept = '*/*'): Promise<Answer> {
  const request = new Request(`https://fieldfare.test${path}`, { headers: { accept }, redirect: 'manual' })
  const { response, costs } = await fetchApp(request, {}, place.db)
  const links = [
    ...(response.headers.get('link') ?? '').matchAll(/<https:\/\/[^/]+([^>]+)>; rel="(next|prev)"/g),
  ]
  return {
    status: response.status,
    rows: costs.rowsRead,
    text: await response.text(),
    links: new Map(links.map(([, href = '', rel = '']) => [rel, href])),
  }
}

/** Requests that read too many rows, worst first; a failed answer counts as the worst. */
async function overBudget(paths: readonly string[], accept?: string): Promise<string[]> {
  const found: { readonly rows: number; readonly path: string }[] = []
  for (const path of paths) {
    const { rows, status } = await ask(path, accept)
    if (status >= 500) found.push({ rows: Number.POSITIVE_INFINITY, path })
    else if (rows > mostRows) found.push({ rows, path })
  }
  return found.toSorted((a, b) => b.rows - a.rows).map(({ rows, path }) => `${rows} rows: ${path}`)
}

function expectNone(found: readonly string[]): void {
  expect(found, found.slice(0, 5).join('\n')).toEqual([])
}

const open = endpoints.filter(({ method, auth }) => method === 'GET' && auth.kind === 'anyone')
const ofApi = new Set(endpoints.map(({ path }) => path))
const others = [...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))].filter(
  (path) => !ofApi.has(path as `/${string}`) && !path.includes('*'),
)

describe('a request without a token reads at most 2,000 rows among 24,000 statuses', () => {
  for (const endpoint of open)
    it(`GET ${endpoint.path}`, async () => {
      expectNone(await overBudget(requestsOf(place, endpoint)))
    })

  const pages = [
    '',
    'page=true',
    'page=true&only_other_accounts=true',
    'page=true&min_id=1',
    'page=35',
    'q=a',
  ]
  for (const path of others)
    it(`GET ${path}, as a page and as a document`, async () => {
      const deep = place.cursors.flatMap((cursor) => [`max_id=${cursor}`, `page=true&max_id=${cursor}`])
      const paths = pathsOf(place, path).flatMap((one) => [...pages, ...deep].map((page) => `${one}?${page}`))
      // Feeds are no documents, whatever is asked for.
      const documents = /rss|atom/.test(path) ? [] : paths
      expectNone([
        ...(await overBudget(paths, 'text/html')),
        ...(await overBudget(documents, 'application/activity+json')),
      ])
    })

  it('GET /.well-known/webfinger', async () => {
    const resources = ['acct:alice@fieldfare.test', 'https://fieldfare.test/@alice', 'acct:a@elsewhere.test']
    const paths = resources.map(
      (resource) => `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`,
    )
    expectNone(await overBudget(paths))
  })
})
