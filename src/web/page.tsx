import type { Child } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Config } from '../config'
import { type Island, scriptAddresses } from '../lib/assets'
import { createTranslate } from '../lib/translate'
import { type AppContext, allowCaching, cachedSeconds } from '../ports/app-env'
import { noticeOf, withAccountNotice } from './components/account-notice'
import { LocalizedContext } from './i18n/context'
import { memberReader, visitorOf } from './i18n/reader'
import { openedVisit, type PageRequest } from './page-request'

const caching = { seconds: cachedSeconds.people, isCounted: true }

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

export interface PageOptions {
  readonly status?: 200 | 400 | 401 | 403 | 404 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503
  /**
   * The answer to a form of this page may lead to an application, by any scheme. Browsers apply `form-action` to
   * every redirect that follows a form, and no source list covers custom schemes or an application's own redirects,
   * so such a page goes without. No markup on it comes from users.
   */
  readonly formsLeadAway?: boolean
  /** The one script that the page may run; none otherwise. */
  readonly script?: Island
  /** The page says itself what the notice on top of it would say. */
  readonly isAboutAccount?: boolean
}

/** Answers with a page for one person: with no script but `script`, in no frame, in no cache. */
export async function showPage(c: AppContext, markup: Markup, options: PageOptions = {}): Promise<Response> {
  const { config } = c.get('ctx')
  const noticed = options.isAboutAccount === true ? markup : withNoticeOf(c, markup)
  return c.html(await localized(c, noticed), options.status ?? 200, {
    'Content-Security-Policy': pagePolicy(config, options),
    'Cache-Control': 'private, no-store',
  })
}

/** Answers with a page without forms. Caches may keep it for a minute as visitors see it. */
export async function showPublicPage(
  c: AppContext,
  visit: PageRequest,
  markup: Markup,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { config } = c.get('ctx')
  if (visit.session === null) allowCaching(c, caching)
  return c.html(await localized(c, withNoticeOf(c, markup)), 200, {
    'Content-Security-Policy': `${pagePolicy(config)}; media-src ${mediaSources(config)}`,
    'Cache-Control': visit.session === null ? 'public, max-age=60' : 'private, no-store',
    // The address may have another form for programs.
    Vary: 'Accept, Accept-Language, Cookie',
    ...headers,
  })
}

/** Answers with a page for the frames of other sites, the same for every visitor. */
export async function showFramed(c: AppContext, markup: Markup): Promise<Response> {
  const { config } = c.get('ctx')
  const policy = pagePolicy(config, { isFramed: true })
  allowCaching(c, caching)
  return c.html(await localized(c, markup), 200, {
    'Content-Security-Policy': `${policy}; media-src ${mediaSources(config)}`,
    'Cache-Control': 'public, max-age=60',
    Vary: 'Accept-Language',
  })
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
  return <LocalizedContext.Provider value={{ reader, t }}>{markup}</LocalizedContext.Provider>
}

/** Content security policy of a page. No opener policy: apps wait for sign-in in a pop-up. */
export function pagePolicy(
  config: Config,
  {
    formsLeadAway = false,
    isFramed = false,
    script,
  }: Pick<PageOptions, 'formsLeadAway' | 'script'> & { readonly isFramed?: boolean } = {},
): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "manifest-src 'self'",
    // By their paths: a script that somebody uploaded here could not run.
    ...(script === undefined ? [] : [`script-src ${scriptAddresses(config.origin, script).join(' ')}`]),
    `img-src ${mediaSources(config)}`,
    ...(formsLeadAway ? [] : ["form-action 'self'"]),
    `frame-ancestors ${isFramed ? '*' : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

function mediaSources({ mediaBase, origin }: Config): string {
  const mediaOrigin = new URL(mediaBase).origin
  return mediaOrigin === origin ? "'self'" : `'self' ${mediaOrigin}`
}
