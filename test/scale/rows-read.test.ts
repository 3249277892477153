import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { type CrowdedDatabase, crowdedDatabase } from '../support/crowded-database'
import { fetchApp, routes } from '../support/test-app'

/** Rows that any request of a stranger may read, whatever it asks for and however many there are. */
const mostRows = 2_000

let place: CrowdedDatabase
beforeAll(async () => {
  place = await crowdedDatabase()
}, 60_000)

// Each request leaves a timer for its next turn, of which a runtime has ten thousand.
afterEach(() => new Promise((resolve) => setTimeout(resolve, 0)))

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

type Choices = (place: CrowdedDatabase) => readonly (number | string)[]

const usernames: Choices = (crowded) => crowded.usernames
const none: Choices = () => ['x']
const files: Choices = (crowded) => crowded.tags.flatMap((tag) => [`${tag}.rss`, `${tag}.atom`])

/** Values for the parameters of paths: by the segment before an id, otherwise by name. */
const inPaths: Readonly<Record<string, Choices>> = {
  'accounts/:id': (crowded) => crowded.accounts,
  'accounts/:account_id': (crowded) => crowded.accounts,
  'statuses/:id': (crowded) => crowded.statuses,
  'polls/:id': (crowded) => [crowded.poll],
  'media/:id': (crowded) => [crowded.media],
  'media_proxy/:id': (crowded) => [crowded.media],
  'collections/:id': (crowded) => crowded.collections,
  'feature_authorizations/:id': () => [1],
  'quote_authorizations/:id': (crowded) => crowded.statuses.slice(-2),
  ':handle/:id': (crowded) => crowded.statuses,
  ':username': usernames,
  ':handle': (crowded) => crowded.usernames.map((name) => `@${name}`),
  ':hashtag': (crowded) => crowded.tags,
  ':tag': (crowded) => crowded.tags,
  ':name': (crowded) => crowded.tags,
  ':year': () => [2026],
  ':day': () => ['2026-01-01'],
  ':shortcode': () => ['e1'],
  ':reaction': () => ['x'],
  ':emoji': () => ['x'],
  ':key': none,
  ':url': none,
  ':mac': none,
  ':token': none,
  ':code': none,
  ':invite_code': none,
  ':kind': none,
  ':id': none,
  ':date': () => ['2026-01-01'],
  'tags/:file': files,
  'tagged/:file': files,
  ':file': (crowded) => crowded.usernames.flatMap((name) => [`@${name}.rss`, `@${name}.atom`]),
  ':owner': none,
  ':size': () => ['1x1'],
}

const flag = (name: string) => [name, () => [`${name}=true`]] as const

/** The worst that parameters can ask for. */
const asked: Readonly<Record<string, (crowded: CrowdedDatabase) => readonly string[]>> = {
  ...Object.fromEntries(
    [
      'local',
      'remote',
      'only_media',
      'exclude_replies',
      'exclude_reblogs',
      'exclude_direct',
      'exclude_unreviewed',
      'pinned',
      'following',
      'resolve',
    ].map(flag),
  ),
  // With every other parameter.
  limit: () => [],
  max_id: ({ cursors }) => cursors.map((cursor) => `max_id=${cursor}`),
  min_id: ({ cursors }) => ['min_id=1', ...cursors.slice(0, 1).map((cursor) => `min_id=${cursor}`)],
  since_id: () => ['since_id=1'],
  tagged: ({ tags }) => tags.map((tag) => `tagged=${tag}`),
  any: ({ tags }) => ['any[]=even', tags.map((tag) => `any[]=${tag}`).join('&')],
  all: () => ['all[]=rare', 'all[]=even&all[]=odd', 'all[]=crowd&all[]=even&all[]=none'],
  none: () => ['none[]=crowd', 'none[]=even&none[]=odd&none[]=rare&none[]=none'],
  q: () => ['q=a', 'q=%23a', 'q=%40a', 'q=b', 'q=https%3A%2F%2Ffieldfare.test%2F%40alice'],
  type: () => ['type=accounts', 'type=hashtags', 'type=statuses'],
  offset: () => ['offset=80', 'offset=4999'],
  order: () => ['order=new'],
  url: ({ link }) => [`url=${link}`],
  acct: () => ['acct=alice', 'acct=silenced@crowd.test'],
  account_id: () => ['account_id=1'],
  id: ({ accounts, statuses }) => [accounts, statuses].map((ids) => ids.map((id) => `id[]=${id}`).join('&')),
  provider: () => ['provider=keybase'],
  username: () => ['username=alice'],
  maxwidth: () => [],
  maxheight: () => [],
}

/** A pattern with everything in place of its parameters. One that is not named above has to be. */
function pathsOf(pattern: string): string[] {
  const plain = pattern.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
  const [parameter] = /:\w+/.exec(plain) ?? []
  if (parameter === undefined) return [plain]
  const key = Object.keys(inPaths).find(
    (one) => plain.replace(/^\/@?/, '').includes(one) && one.endsWith(parameter),
  )
  const choices = key === undefined ? undefined : inPaths[key]
  if (choices === undefined)
    throw new Error(`say in test/scale/rows-read.test.ts what stands for ${parameter} in ${pattern}`)
  // The other form of a feed has a route, and so a test, of its own.
  const form = /\\\.(rss|atom)\}$/.exec(pattern)?.[1]
  return choices(place)
    .flatMap((value) => pathsOf(plain.replace(parameter, String(value))))
    .filter((path) => form === undefined || path.endsWith(`.${form}`))
}

interface Queries {
  /** Each parameter by itself. */
  readonly single: readonly string[]
  /** Any two together. */
  readonly pairs: readonly string[]
}

function queriesOf({ path, input }: Endpoint): Queries {
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : []
  const values = names
    .filter((name) => !path.includes(`:${name}`))
    .map((name) => {
      const choices = asked[name]
      if (choices === undefined)
        throw new Error(`say in test/scale/rows-read.test.ts what is worst for ${name} of ${path}`)
      return choices(place)
    })
  const pairs = values.flatMap((some, at) =>
    values.slice(at + 1).flatMap((others) => some.flatMap((one) => others.map((other) => `${one}&${other}`))),
  )
  return { single: ['', ...values.flat()], pairs }
}

/** Requests for an endpoint, with the default page and the greatest; pairs are made of the first few values only. */
function requestsOf(endpoint: Endpoint): string[] {
  const { single, pairs } = queriesOf(endpoint)
  const paths = pathsOf(endpoint.path)
  return [
    ...paths.flatMap((path) => single.flatMap((query) => [`${path}?${query}`, `${path}?${query}&limit=80`])),
    ...paths.slice(0, 4).flatMap((path) => pairs.map((query) => `${path}?${query}&limit=80`)),
  ]
}

/** Requests that read too many rows, worst first; a failed answer counts as the worst. */
async function tooDear(paths: readonly string[], accept?: string): Promise<string[]> {
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
      expectNone(await tooDear(requestsOf(endpoint)))
    }, 60_000)

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
      const paths = pathsOf(path).flatMap((one) => [...pages, ...deep].map((page) => `${one}?${page}`))
      expectNone([
        ...(await tooDear(paths, 'text/html')),
        ...(await tooDear(paths, 'application/activity+json')),
      ])
    }, 60_000)

  it('GET /.well-known/webfinger', async () => {
    const resources = ['acct:alice@fieldfare.test', 'https://fieldfare.test/@alice', 'acct:a@elsewhere.test']
    const paths = resources.map(
      (resource) => `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`,
    )
    expectNone(await tooDear(paths))
  })
})
