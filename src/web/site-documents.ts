import { Hono } from 'hono'
import { allowsAnonymousReads } from '../config'
import { profileUrl } from '../contract/addresses'
import { hasLogoSizes, logoSides } from '../contract/logo-files'
import { combineQueries, execute } from '../db/query'
import { findIndexedAccounts, type IndexedAccount } from '../domain/accounts/find-directory'
import { type InstanceSettings, pickPageSettings, pickSettings } from '../domain/instance/settings'
import { admitAnonymous } from '../domain/sessions/flood'
import { NotFound } from '../errors'
import { assetPath } from '../lib/assets'
import { hexColourOf } from '../lib/colour'
import { dayMilliseconds } from '../lib/days'
import { readTokenSheet, writtenTokens } from '../lib/token-sheet'
import { createTranslate } from '../lib/translate'
import { element, xmlDocument } from '../lib/xml'
import { type AppContext, type AppEnv, allowCaching, cachedSeconds, clientIp } from '../ports/app-env'
import { logoUrls } from '../view/urls'
import { accentSheet } from './accent'
import { contactOf, findContact } from './contact'
import { visitorOf } from './i18n/reader'
import { paths } from './paths'
import { customSheetPath } from './site-of'

const addresses = {
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  security: '/.well-known/security.txt',
} as const

/** Documents for crawlers, security researchers and browsers. */
export function siteDocumentRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(addresses.robots, serveRobots)
  app.get(addresses.sitemap, serveSitemap)
  app.get(addresses.security, serveSecurity)
  app.get(paths.manifest, serveManifest)
  app.get(paths.ownSheet, serveOwnSheet)
  app.get(paths.tokenSheet, serveTokens)
  app.get(paths.customSheet, serveCustomSheet)
  app.get('/styles/:name{accent-[0-9a-f]{6}\\.css}', serveAccent)
  return app
}

/** Crawlers that collect texts to train models on; `robots.txt` names them as their operators publish them. */
const aiCrawlers = [
  'AI2Bot',
  'Amazonbot',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'Diffbot',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
  'omgili',
  'Timpibot',
]

/** Paths without anything to find: programs, forms, and files of other servers. */
const unlisted = [
  '/api/',
  '/auth/',
  '/authorize_interaction',
  '/interact/',
  '/invite/',
  '/media/proxy/',
  '/media_proxy/',
  '/oauth/',
  '/settings/',
  '/unsubscribe/',
]

async function serveRobots(c: AppContext) {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  const settings = await execute(ctx.db, pickSettings(ctx, ['searchEngines', 'aiCrawlers']))
  return answer(c, robotsOf(settings, ctx.config.origin), 'text/plain', cachedSeconds.server)
}

/** Text of `robots.txt` (RFC 9309). Profiles and posts say for themselves whether search engines may list them. */
function robotsOf(settings: Pick<InstanceSettings, 'searchEngines' | 'aiCrawlers'>, origin: string): string {
  const refusing = [...aiCrawlers.map((name) => `User-agent: ${name}`), 'Disallow: /', '']
  const forAll = settings.searchEngines ? unlisted : ['/']
  return [
    ...(settings.aiCrawlers ? [] : ['# Not material to train models on.', ...refusing]),
    'User-agent: *',
    ...forAll.map((path) => `Disallow: ${path}`),
    ...(settings.searchEngines ? ['', `Sitemap: ${origin}${addresses.sitemap}`] : []),
    '',
  ].join('\n')
}

async function serveSitemap(c: AppContext) {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  const { settings, accounts } = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, ['searchEngines', 'profileDirectory']),
      accounts: findIndexedAccounts(ctx),
    }),
  )
  if (!settings.searchEngines || !allowsAnonymousReads(ctx.config)) throw new NotFound()
  const listed = settings.profileDirectory ? accounts : []
  return answer(c, sitemapOf(ctx.config.origin, listed), 'application/xml', cachedSeconds.people)
}

/** Sitemap (sitemaps.org, version 0.9) of the pages about the server and of profiles. */
function sitemapOf(origin: string, accounts: readonly IndexedAccount[]): string {
  const pages = [paths.front, paths.about, paths.apps].map((path) =>
    element('url', {}, element('loc', {}, origin + path)),
  )
  const profiles = accounts.map(({ username, lastStatusAt }) =>
    element(
      'url',
      {},
      element('loc', {}, profileUrl(origin, username)),
      ...(lastStatusAt === null ? [] : [element('lastmod', {}, lastStatusAt.toISOString().slice(0, 10))]),
    ),
  )
  const namespace = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }
  return xmlDocument(element('urlset', namespace, ...pages, ...profiles))
}

const contactDays = 90

async function serveSecurity(c: AppContext) {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  await admitAnonymous(ctx, clientIp(c))
  const { settings, found } = await execute(
    ctx.db,
    combineQueries({ settings: pickSettings(ctx, ['contactEmail', 'languages']), found: findContact(ctx) }),
  )
  const { email, account } = contactOf(config, settings, found)
  const contacts = [
    ...(email === null ? [] : [`mailto:${email}`]),
    ...(account === null ? [] : [account.url]),
  ]
  if (contacts.length === 0) throw new NotFound()
  const expires = new Date(clock.now().getTime() + contactDays * dayMilliseconds)
  const text = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${settings.languages.join(', ')}`,
    `Canonical: ${config.origin}${addresses.security}`,
    '',
  ].join('\n')
  return answer(c, text, 'text/plain', cachedSeconds.people)
}

/** Style sheet of an accent colour, which its name says: nothing is read. */
function serveAccent(c: AppContext): Response {
  const colour = hexColourOf(`#${c.req.param('name')?.slice('accent-'.length, -'.css'.length)}`)
  if (colour === null) throw new NotFound()
  return c.body(accentSheet(colour), 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=86400',
  })
}

/** Style sheet of the operator. Its address changes with it. */
async function serveOwnSheet(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  const { styleSheet } = await execute(ctx.db, pickSettings(ctx, ['styleSheet']))
  const tokens = styleSheet === null ? null : readTokenSheet(styleSheet).tokens
  if (tokens === null) throw new NotFound()
  return c.body(writtenTokens(tokens), 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=86400',
  })
}

/**
 * CSS of the operator, in a layer over those of the pages. It is kept for ever only at the address that pages name now: an older or a
 * later one would keep other rules.
 */
async function serveCustomSheet(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  const { customCss, cssSavedAt } = await execute(ctx.db, pickPageSettings(ctx, ['customCss']))
  if (customCss === null || cssSavedAt === null) throw new NotFound()
  const isCurrent = customSheetPath(cssSavedAt).endsWith(`?v=${c.req.query('v')}`)
  return c.body(`@layer operator{\n${customCss}\n}`, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
}

/** Style sheet of the tokens in its address, for a preview. Nothing is read. */
function serveTokens(c: AppContext): Response {
  const { tokens } = readTokenSheet(c.req.query('set') ?? '')
  if (tokens === null || tokens.size === 0) throw new NotFound()
  return c.body(writtenTokens(tokens), 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'private, no-store',
  })
}

interface ManifestIcon {
  readonly src: string
  readonly sizes: string
  readonly type?: string
  readonly purpose?: 'maskable'
}

const softwareIcons: readonly ManifestIcon[] = [
  { src: assetPath('logo.svg'), sizes: 'any', type: 'image/svg+xml' },
  { src: assetPath('icon-192.png'), sizes: '192x192', type: 'image/png' },
  { src: assetPath('icon-512.png'), sizes: '512x512', type: 'image/png' },
  // Devices cut its edges off, in the shape that their icons have.
  { src: assetPath('icon-maskable-512.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

/** Icons of an installed site: the logo of the operator, or those of the software. */
function iconsOf(logo: ReturnType<typeof logoUrls>): readonly ManifestIcon[] {
  if (logo === null) return softwareIcons
  // A logo that was kept as it is has a size of its own, that nothing here knows.
  if (!hasLogoSizes(logo.large)) return [{ src: logo.large, sizes: 'any' }]
  return [
    { src: logo.small, sizes: sizesOf(logoSides.small), type: 'image/png' },
    { src: logo.large, sizes: sizesOf(logoSides.large), type: 'image/png' },
  ]
}

const sizesOf = (side: number) => `${side}x${side}`

/** Manifest that browsers install the site by: it opens at home, and its shortcuts are in the language of the browser. */
async function serveManifest(c: AppContext) {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  const { title, shortDescription, logo } = await execute(
    ctx.db,
    pickSettings(ctx, ['title', 'shortDescription', 'logo']),
  )
  const icons = iconsOf(logoUrls(ctx.config, logo))
  const { language } = visitorOf(c.req.raw)
  const t = createTranslate(language, await ctx.catalogues.load(language))
  const manifest = {
    lang: language,
    dir: t.direction,
    name: title,
    short_name: title,
    description: shortDescription,
    id: paths.front,
    start_url: paths.home,
    scope: paths.front,
    // Safari knows no other that opens in a window, without which it has no push. Where browsers know it, with Back and Reload.
    display: 'standalone',
    display_override: ['minimal-ui'],
    background_color: '#f4eee5',
    theme_color: '#f4eee5',
    icons,
    shortcuts: [
      { name: t('client.newPost'), url: paths.publish },
      { name: t('client.notifications'), url: paths.notifications },
      { name: t('client.search'), url: paths.search },
    ].map(({ name, url }) => ({ name, url, icons: icons.filter(({ sizes }) => sizes === '192x192') })),
    share_target: {
      action: paths.share,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'file[]', accept: ['image/*', 'video/*', 'audio/*'] }],
      },
    },
  }
  c.header('Vary', 'Accept-Language')
  return answer(c, JSON.stringify(manifest), 'application/manifest+json', cachedSeconds.server)
}

function answer(c: AppContext, text: string, type: string, seconds: number): Response {
  allowCaching(c, { seconds, isCounted: true })
  return c.body(text, 200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'public, max-age=3600',
  })
}
