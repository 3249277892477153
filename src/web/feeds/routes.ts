import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { allowsAnonymousReads, type Config } from '../../config'
import {
  profileFeedUrls,
  profileUrl,
  tagFeedUrls,
  taggedFeedUrls,
  taggedUrl,
  tagUrl,
} from '../../contract/addresses'
import { readHashtag } from '../../contract/text/hashtag'
import { softwareVersion } from '../../contract/version'
import { combineQueries, execute } from '../../db/query'
import { idByHandle, selectByHandle } from '../../domain/accounts/find'
import { anonymousViewer } from '../../domain/core/viewer'
import { pickSettings } from '../../domain/instance/settings'
import { admitAnonymous } from '../../domain/sessions/flood'
import { accountSelection } from '../../domain/timelines/account'
import { tagFeedAccess, visibleScopes } from '../../domain/timelines/public'
import { tagSelection } from '../../domain/timelines/tag'
import { assertQuotaForAnonymous } from '../../domain/usage/store'
import { NotFound, Unauthorized } from '../../errors'
import type { AppEnv } from '../../ports/app-env'
import { type AppContext, allowCaching, cachedSeconds, clientIp } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { loadAccounts } from '../../view/load/accounts'
import { loadStatuses, type StatusBundle } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { defaultThumbnailUrl } from '../../view/urls'
import { knownAccount } from '../pages/profile/account'
import { onlyTag } from '../tag-filter'
import { feedAuthor, feedEntry } from './entries'
import { type Feed, type FeedEntry, type FeedFormat, writeAtom, writeRss } from './feed'

const pageSize = 20

/**
 * RSS and Atom: the newest public posts of a local account, and those with a hashtag.
 *
 * Mounted ahead of the documents of ActivityPub, which would take `@name.rss` for a name.
 */
export function feedRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const format of ['rss', 'atom'] as const) {
    app.get(`/:file{@\\w+\\.${format}}`, etag(), (c) => serveAccount(c, nameIn(c), null, format))
    app.get(`/:handle{@\\w+}/tagged/:file{[^/]+\\.${format}}`, etag(), (c) =>
      serveAccount(c, c.req.param('handle').slice(1), readTag(nameIn(c)), format),
    )
    app.get(`/tags/:file{[^/]+\\.${format}}`, etag(), (c) => serveTag(c, nameIn(c), format))
  }
  return app
}

/** The name before the ending. */
function nameIn(c: AppContext): string {
  return (c.req.param('file') ?? '').replace(/^@|\.\w+$/g, '')
}

/** Feed readers cannot sign in: without anonymous reads there are no feeds. */
async function admit(c: AppContext): Promise<Ctx> {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  if (!allowsAnonymousReads(ctx.config)) throw new Unauthorized('members_only')
  return ctx
}

function readTag(text: string): string {
  const name = readHashtag(text)
  if (name === null) throw new NotFound()
  return name
}

async function serveAccount(c: AppContext, username: string, tagged: string | null, format: FeedFormat) {
  const ctx = await admit(c)
  const { config, clock } = ctx
  const handle = { username, domain: null }
  const filter = {
    owner: idByHandle(handle),
    onlyMedia: false,
    tagged,
    onlyPublic: true,
    excludeReplies: tagged === null,
    excludeReblogs: true,
    excludeDirect: true,
  }
  const selection = accountSelection(anonymousViewer, filter, { limit: pageSize }, clock.now())
  const found = await execute(
    ctx.db,
    combineQueries({
      account: loadAccounts(ctx, selectByHandle(handle)),
      statuses: loadStatuses(ctx, anonymousViewer, selection),
    }),
  )
  const account = knownAccount(config, found.account)
  const author = feedAuthor(config, account)
  const entries = entriesOf(ctx, found.statuses)
  const { origin } = config
  const { username: name } = account
  return answer(c, format, {
    imageUrl: account.avatar_static,
    author,
    entries,
    title: tagged === null ? author.name : `${author.name} #${tagged}`,
    description: `Public posts by ${author.handle}${tagged === null ? '' : ` with #${tagged}`}`,
    url: tagged === null ? profileUrl(origin, name) : taggedUrl(origin, name, tagged),
    selfUrl: (tagged === null ? profileFeedUrls(origin, name) : taggedFeedUrls(origin, name, tagged))[format],
    updatedAt: latestOf(entries) ?? new Date(account.created_at),
    generator: generatorOf(config),
  })
}

async function serveTag(c: AppContext, asked: string, format: FeedFormat) {
  const ctx = await admit(c)
  assertQuotaForAnonymous(ctx)
  const { config, clock } = ctx
  const name = readTag(asked)
  const selection = tagSelection(anonymousViewer, onlyTag(name), { limit: pageSize }, clock.now())
  const { access, settings, bundle } = await execute(
    ctx.db,
    combineQueries({
      access: tagFeedAccess(ctx),
      settings: pickSettings(ctx, ['title']),
      bundle: loadStatuses(ctx, anonymousViewer, selection),
    }),
  )
  const shown = visibleScopes(access, null)
  if (!shown.local && !shown.remote) throw new Unauthorized('members_only')
  const ids = bundle.ids.filter((id) => (bundle.statuses.get(id)?.status.local ? shown.local : shown.remote))
  const entries = entriesOf(ctx, { ...bundle, ids })
  return answer(c, format, {
    title: `#${name}`,
    description: `Public posts with #${name}, as ${settings.title} knows them`,
    url: tagUrl(config.origin, name),
    selfUrl: tagFeedUrls(config.origin, name)[format],
    imageUrl: defaultThumbnailUrl(config),
    author: null,
    entries,
    updatedAt: latestOf(entries) ?? new Date(0),
    generator: generatorOf(config),
  })
}

/** Public posts only: a feed reaches further than unlisted posts should. */
function entriesOf({ config, clock }: Ctx, bundle: StatusBundle): readonly FeedEntry[] {
  const statuses = presentStatuses({ config, now: clock.now() }, bundle)
  const attachments = new Map(
    [...bundle.statuses].map(([id, { status }]) => [String(id), status.attachments]),
  )
  return statuses
    .filter(({ visibility }) => visibility === 'public')
    .map((status) => feedEntry(config, status, attachments.get(status.id) ?? []))
}

function latestOf(entries: readonly FeedEntry[]): Date | null {
  const times = entries.map(({ updatedAt }) => updatedAt.getTime())
  return times.length === 0 ? null : new Date(Math.max(...times))
}

function generatorOf({ sourceUrl }: Config): Feed['generator'] {
  return { name: 'Fieldfare', version: softwareVersion, url: sourceUrl }
}

function answer(c: AppContext, format: FeedFormat, feed: Feed): Response {
  allowCaching(c, { seconds: cachedSeconds.people, isCounted: true })
  return c.body(format === 'rss' ? writeRss(feed) : writeAtom(feed), 200, {
    'Content-Type': `application/${format}+xml; charset=utf-8`,
    'Cache-Control': 'public, max-age=60',
  })
}
