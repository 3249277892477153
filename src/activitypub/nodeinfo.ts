import { type Context, Hono } from 'hono'
import { softwareVersion } from '../contract/version'
import { combineQueries, execute } from '../db/query'
import { type InstanceSettings, pickSettings } from '../domain/instance/settings'
import { type Counters, loadCounters } from '../domain/metrics/counters'
import { type AppEnv, allowCaching, cachedSeconds } from '../ports/app-env'

/** In the order offered: readers take the highest they know, some only ever the first. */
const versions = ['2.0', '2.1'] as const
export type NodeInfoVersion = (typeof versions)[number]

export interface NodeInfoFacts {
  readonly settings: Pick<InstanceSettings, 'title' | 'shortDescription' | 'registrations'>
  readonly counters: Counters
  readonly sourceUrl: string
}

const caching = { seconds: cachedSeconds.server, isCounted: false }
const headers = { 'Cache-Control': 'public, max-age=1800' }

/** NodeInfo endpoints for crawlers and other servers: a list of documents, and the documents. */
export function nodeInfoRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/.well-known/nodeinfo', (c) => {
    allowCaching(c, caching)
    return c.json(discovery(c.get('ctx').config.origin), 200, headers)
  })
  for (const version of versions) app.get(`/nodeinfo/${version}`, (c) => serve(c, version))
  return app
}

async function serve(c: Context<AppEnv>, version: NodeInfoVersion): Promise<Response> {
  const ctx = c.get('ctx')
  const facts = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, ['title', 'shortDescription', 'registrations']),
      counters: loadCounters(ctx),
    }),
  )
  allowCaching(c, caching)
  const document = nodeInfo(version, { ...facts, sourceUrl: ctx.config.sourceUrl })
  return c.body(JSON.stringify(document), 200, {
    ...headers,
    'Content-Type': `application/json; profile="${schemaUri(version)}#"`,
  })
}

function discovery(origin: string) {
  return {
    links: versions.map((version) => ({ rel: schemaUri(version), href: `${origin}/nodeinfo/${version}` })),
  }
}

function schemaUri(version: NodeInfoVersion): string {
  return `http://nodeinfo.diaspora.software/ns/schema/${version}`
}

/**
 * Presents one version of the NodeInfo document, without fields the schema does not name.
 *
 * By `metadata.upstream`, libraries that do not know Fieldfare recognise the Mastodon API. Registrations are open
 * only where no approval is needed. Posts count replies too, as in Mastodon; replies are the comments.
 */
export function nodeInfo(version: NodeInfoVersion, { settings, counters, sourceUrl }: NodeInfoFacts) {
  return {
    version,
    software: {
      name: 'fieldfare',
      version: softwareVersion,
      ...(version === '2.0' ? {} : { repository: sourceUrl }),
    },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: settings.registrations === 'open',
    usage: {
      users: {
        total: counters.users,
        activeHalfyear: counters.active_halfyear,
        activeMonth: counters.active_month,
      },
      localPosts: counters.statuses,
      localComments: counters.replies,
    },
    metadata: {
      nodeName: settings.title,
      nodeDescription: settings.shortDescription,
      upstream: { name: 'mastodon' },
    },
  }
}
