import type { Child } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import { usualLook } from '../contract/look'
import { createTranslate } from '../lib/translate'
import { type AppContext, allowCaching, cachedSeconds } from '../ports/app-env'
import { noticeOf, withAccountNotice } from './components/account-notice'
import { LocalizedContext } from './i18n/context'
import { memberLook, memberReader, visitorOf } from './i18n/reader'
import { emptyPage, type Page, PageProvider, type Standing } from './page-context'
import { type PagePolicy, pagePolicy } from './page-policy'
import { hasToSetUpTwoFactor, memberOf, openedVisit, type PageRequest } from './page-request'
import { PostsProvider } from './posts/context'
import { pathOf } from './return-to'
import type { Site } from './site'

const caching = { seconds: cachedSeconds.people, isCounted: true }

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/** Properties that parts of the page read; where they are not given, site and viewer are those of the visit. */
type GivenPage = Partial<Omit<Page, 'hasSeveralAccounts' | 'isColumn' | 'script' | 'standing' | 'unread'>>

export interface PageOptions
  extends GivenPage,
    Pick<PagePolicy, 'connectsTo' | 'formsLeadAway' | 'framesOwn' | 'needs' | 'playsMedia' | 'script'> {
  readonly status?: 200 | 400 | 401 | 403 | 404 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503
  /** The page says itself what the notice on top of it would say. */
  readonly isAboutAccount?: boolean
}

/**
 * Answers with a page for one person: with no script but `script`, in no cache, and in no frame but that of a column of this
 * server.
 */
export async function showPage(c: AppContext, markup: Markup, options: PageOptions = {}): Promise<Response> {
  const { config } = c.get('ctx')
  const noticed = options.isAboutAccount === true ? markup : withNoticeOf(c, markup)
  return c.html(await localized(c, within(pageOf(c, options), noticed)), options.status ?? 200, {
    'Content-Security-Policy': pagePolicy(config, {
      ...options,
      ...(isColumn(c) ? { framedBy: 'own' as const } : {}),
    }),
    'Cache-Control': 'private, no-store',
  })
}

/** Answers with a page without forms. Caches may keep it for a minute as visitors see it, so it has no CSRF token. */
export async function showPublicPage(
  c: AppContext,
  visit: PageRequest,
  markup: Markup,
  headers: Readonly<Record<string, string>> = {},
  options: Pick<PagePolicy, 'needs' | 'script'> = {},
): Promise<Response> {
  const { config } = c.get('ctx')
  if (visit.session === null) allowCaching(c, caching)
  const page = within(pageOf(c, {}), withNoticeOf(c, markup))
  return c.html(await localized(c, page), 200, {
    'Content-Security-Policy': pagePolicy(config, { ...options, playsMedia: true }),
    'Cache-Control': visit.session === null ? 'public, max-age=60' : 'private, no-store',
    // The address may have another form for programs.
    Vary: 'Accept, Accept-Language, Cookie',
    ...headers,
  })
}

/** Answers with a page for the frames of other sites, the same for every visitor. */
export async function showFramed(c: AppContext, site: Site, markup: Markup): Promise<Response> {
  const { config } = c.get('ctx')
  allowCaching(c, caching)
  return c.html(await localized(c, within({ ...emptyPage, site }, markup)), 200, {
    'Content-Security-Policy': pagePolicy(config, { framedBy: 'all', playsMedia: true }),
    'Cache-Control': 'public, max-age=60',
    Vary: 'Accept-Language',
  })
}

/** Pages without the CSS of the operator, by which one that hides everything is removed again: sign-in and administration. */
const isPlain = /^\/(admin|auth|oauth)(\/|$)/

function pageOf(c: AppContext, given: PageOptions): Page {
  const visit = openedVisit(c)
  const site = given.site ?? visit?.site
  if (site === undefined) throw new Error('a page was shown before its request was opened')
  const viewer = given.viewer ?? visit?.viewer ?? null
  const standing = visit === null ? (viewer === null ? 'visitor' : 'member') : standingOf(visit)
  const { unread } = visit ?? emptyPage
  const hasSeveralAccounts = (visit?.slots.length ?? 0) > 0
  return {
    ...emptyPage,
    ...given,
    viewer,
    standing,
    unread,
    hasSeveralAccounts,
    isColumn: isColumn(c),
    site: isPlain.test(c.req.path) ? { ...site, customSheet: null } : site,
    script: given.script ?? null,
  }
}

/** Whether the browser asks for a page to show it in a frame of another page of this server. */
function isColumn(c: AppContext): boolean {
  return c.req.header('sec-fetch-dest') === 'iframe' && c.req.header('sec-fetch-site') === 'same-origin'
}

/** Pages that the account of a request may open, which its navigation leads to. */
function standingOf(visit: PageRequest): Standing {
  if (visit.restricted !== null || hasToSetUpTwoFactor(visit)) return 'confined'
  if (visit.session === null) return 'visitor'
  return memberOf(visit) === null ? 'waiting' : 'member'
}

function within(page: Page, markup: Markup): Markup {
  return <PageProvider value={page}>{markup}</PageProvider>
}

/** `markup` with what the owner of the session has to know; visitors have no such notice, whose pages caches keep. */
function withNoticeOf(c: AppContext, markup: Markup): Markup {
  const session = openedVisit(c)?.session ?? null
  if (session === null) return markup
  return withAccountNotice(noticeOf(session, c.req.path, c.get('ctx').mailer !== null), markup)
}

/** The page in the words of its reader: as the account of the session chose, and as the browser prefers for others. */
async function localized(c: AppContext, markup: Markup): Promise<Markup> {
  const chosen = c.get('chosen')
  const reader = chosen === undefined ? visitorOf(c.req.raw) : memberReader(c.req.raw, chosen)
  const t = createTranslate<Child>(reader.language, await c.get('ctx').catalogues.load(reader.language))
  const look = chosen === undefined ? usualLook : memberLook(c.req.raw, chosen)
  const posts = {
    now: c.get('ctx').clock.now(),
    returnTo: pathOf(c),
    translates: false,
    readerId: null,
    formKey: null,
  }
  return (
    <LocalizedContext.Provider value={{ reader, t, look }}>
      <PostsProvider value={posts}>{markup}</PostsProvider>
    </LocalizedContext.Provider>
  )
}
