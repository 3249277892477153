import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Neighbourhood, neighbourhood } from '../bench/neighbourhood'
import { as } from '../support/as'
import type { Costs } from '../support/costs'
import { clock } from '../support/test-app'

interface Call {
  readonly name: string
  readonly method: 'get' | 'post'
  readonly path: (place: Neighbourhood) => string
  readonly body?: Readonly<Record<string, unknown>>
  readonly bounds: Costs
}

/** The budgets of a page of 20, of a single object and of a public document. */
const page = { trips: 3, statements: 24, rowsRead: 400, rowsWritten: 0 }
const document = { trips: 1, statements: 6, rowsRead: 20, rowsWritten: 0 }
/** 26 followers of this server receive what the reader posts. */
const followers = 26

const calls: readonly Call[] = [
  { name: 'the home timeline', method: 'get', path: () => '/api/v1/timelines/home?limit=20', bounds: page },
  {
    name: 'the public timeline',
    method: 'get',
    path: () => '/api/v1/timelines/public?limit=20',
    bounds: page,
  },
  {
    name: 'the timeline of a hashtag',
    method: 'get',
    path: ({ tag }) => `/api/v1/timelines/tag/${tag}?limit=20`,
    bounds: page,
  },
  {
    name: 'a page of the statuses of an account',
    method: 'get',
    path: ({ author }) => `/api/v1/accounts/${author}/statuses?limit=20`,
    bounds: page,
  },
  { name: 'one status', method: 'get', path: ({ status }) => `/api/v1/statuses/${status}`, bounds: page },
  {
    name: 'a page of notifications',
    method: 'get',
    path: () => '/api/v1/notifications?limit=20',
    bounds: page,
  },
  {
    name: 'the context of 60 statuses',
    method: 'get',
    path: ({ thread }) => `/api/v1/statuses/${thread}/context`,
    bounds: { ...page, trips: 4, statements: 28, rowsRead: 1_200 },
  },
  {
    name: 'asking 40 relationships',
    method: 'get',
    path: ({ acquaintances }) =>
      `/api/v1/accounts/relationships?${acquaintances.map((id) => `id[]=${id}`).join('&')}`,
    bounds: page,
  },
  {
    name: 'verify_credentials',
    method: 'get',
    path: () => '/api/v1/accounts/verify_credentials',
    bounds: page,
  },
  {
    name: 'the instance document',
    method: 'get',
    path: () => '/api/v2/instance',
    bounds: { ...page, rowsRead: 60 },
  },
  { name: 'the NodeInfo document', method: 'get', path: () => '/nodeinfo/2.0', bounds: document },
  {
    name: 'posting a status',
    method: 'post',
    path: () => '/api/v1/statuses',
    body: { status: 'A plain status about #birds' },
    bounds: { trips: 3, statements: 40, rowsRead: 200 + 2 * followers, rowsWritten: 12 + followers },
  },
  {
    name: 'adding a favourite',
    method: 'post',
    path: ({ status }) => `/api/v1/statuses/${status}/favourite`,
    bounds: { trips: 4, statements: 40, rowsRead: 200, rowsWritten: 12 },
  },
]

describe('on a server of 200 people and 2,000 statuses', () => {
  let place: Neighbourhood
  beforeAll(async () => {
    place = await neighbourhood('https://fieldfare.test', clock.now())
    for (const { text, json } of place.inserts) await env.DB.prepare(text).bind(json).run()
  })

  for (const { name, method, path, body, bounds } of calls)
    it(`${name} stays within its budget at the database`, async () => {
      const reader = as(place.token)
      // The first call may make what every later one finds, as the push key of the instance.
      if (method === 'get') await reader.get(path(place))
      const answer =
        method === 'get' ? await reader.get(path(place)) : await reader.post(path(place), body ?? {})
      expect(answer.status).toBe(200)
      for (const figure of ['trips', 'statements', 'rowsRead', 'rowsWritten'] as const)
        expect.soft(answer.costs[figure], figure).toBeLessThanOrEqual(bounds[figure])
    })
})
