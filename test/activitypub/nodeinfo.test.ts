import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import own from '../../package.json'
import { type NodeInfoVersion, nodeInfo } from '../../src/activitypub/nodeinfo'
import { counters } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { defaultSettings } from '../../src/domain/instance/settings'
import { operator } from '../../src/domain/policy/permissions'
import fits20 from '../data/nodeinfo-2.0.json?validator'
import fits21 from '../data/nodeinfo-2.1.json?validator'
import { anonymous } from '../support/as'
import { context, fetchApp } from '../support/test-app'

const documents: readonly (readonly [NodeInfoVersion, typeof fits20])[] = [
  ['2.0', fits20],
  ['2.1', fits21],
]

const figures = { users: 7, statuses: 20, replies: 5, domains: 9, active_month: 3, active_halfyear: 4 }

async function keep(values: typeof figures): Promise<void> {
  const { db } = context()
  for (const [name, value] of Object.entries(values))
    await db.update(counters).set({ value }).where(sql`name = ${name}`)
}

afterEach(async () => {
  await saveSettings(context(), operator, defaultSettings)
})

describe('GET /.well-known/nodeinfo', () => {
  it('GET /.well-known/nodeinfo links to each document [T-103]', async () => {
    const answer = await anonymous.get('/.well-known/nodeinfo')
    expect(answer.body).toEqual({
      links: [
        {
          rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0',
          href: 'https://fieldfare.test/nodeinfo/2.0',
        },
        {
          rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1',
          href: 'https://fieldfare.test/nodeinfo/2.1',
        },
      ],
    })
    expect(answer.headers.get('Content-Type')).toBe('application/json')
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(answer.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
    expect(answer.costs.trips).toBe(0)
  })
})

for (const [version, fits] of documents)
  describe(`GET /nodeinfo/${version}`, () => {
    const path = `/nodeinfo/${version}`

    it('validates against the published schema and shows the stored counters [T-104]', async () => {
      await keep(figures)
      await saveSettings(context(), operator, { title: 'Aviary', shortDescription: 'For birds' })
      const { body } = await anonymous.get(path)
      expect({ valid: fits(body), errors: fits.errors }).toEqual({ valid: true, errors: null })
      expect(body).toMatchObject({
        version,
        software: { name: 'fieldfare', version: own.version },
        protocols: ['activitypub'],
        services: { inbound: [], outbound: [] },
        usage: {
          users: { total: 7, activeMonth: 3, activeHalfyear: 4 },
          localPosts: 20,
          localComments: 5,
        },
        metadata: { nodeName: 'Aviary', nodeDescription: 'For birds', upstream: { name: 'mastodon' } },
      })
    })

    it('shows open registrations only when sign-up needs no approval', async () => {
      const open = async () => (await anonymous.get(path)).body
      expect(await open()).toMatchObject({ openRegistrations: true })
      for (const registrations of ['approval', 'closed'] as const) {
        await saveSettings(context(), operator, { registrations })
        expect(await open()).toMatchObject({ openRegistrations: false })
      }
    })

    it('NodeInfo has the media type with its profile, CORS and caching, and answers HEAD alike', async () => {
      const expected = {
        'content-type': `application/json; profile="http://nodeinfo.diaspora.software/ns/schema/${version}#"`,
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=1800',
      }
      for (const method of ['GET', 'HEAD']) {
        const { response } = await fetchApp(new Request(`https://fieldfare.test${path}`, { method }))
        expect(response.status).toBe(200)
        expect(Object.fromEntries(response.headers)).toMatchObject(expected)
        expect((await response.text()) === '').toBe(method === 'HEAD')
      }
    })

    it('costs one round trip, six statements and twenty rows, also without an Accept header [T-105]', async () => {
      await saveSettings(context(), operator, {
        title: 'Aviary',
        shortDescription: 'x',
        registrations: 'closed',
      })
      const { costs } = await anonymous.get(path)
      expect(costs.trips).toBeLessThanOrEqual(1)
      expect(costs.statements).toBeLessThanOrEqual(6)
      expect(costs.rowsRead).toBeLessThanOrEqual(20)
      expect(costs.rowsWritten).toBe(0)
    })

    it('the schema refuses unknown properties', () => {
      const settings = { title: 'A', shortDescription: '', registrations: 'open' } as const
      const facts = { settings, counters: figures, sourceUrl: 'https://source.test' }
      const good = nodeInfo(version, facts)
      expect(fits(good)).toBe(true)
      const broken = [
        { ...good, extra: 1 },
        { ...good, version: '1.0' },
        { ...good, protocols: [] },
        { ...good, protocols: ['mastodon'] },
        { ...good, software: { ...good.software, name: 'Field Fare' } },
        { ...good, software: { ...good.software, extra: 1 } },
        { ...good, services: { inbound: ['rss'], outbound: [] } },
        { ...good, usage: { ...good.usage, domains: 1 } },
        { ...good, usage: { ...good.usage, localPosts: -1 } },
      ]
      for (const document of broken) expect(fits(document), JSON.stringify(document)).toBe(false)
    })
  })

it('answers 404 for other versions', async () => {
  expect((await anonymous.get('/nodeinfo/1.0')).status).toBe(404)
})
