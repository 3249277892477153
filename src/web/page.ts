import type { HtmlEscapedString } from 'hono/utils/html'
import type { Config } from '../config'
import { type Asset, assetAddress } from '../lib/assets'
import type { AppContext } from '../platform/app-env'
import type { PageRequest } from './page-request'

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
  readonly script?: Asset
}

/** Answers with a page for one person: with no script but `script`, in no frame, in no cache. */
export function showPage(
  c: AppContext,
  markup: Markup,
  options: PageOptions = {},
): Response | Promise<Response> {
  const { config } = c.get('ctx')
  return c.html(markup, options.status ?? 200, {
    'Content-Security-Policy': pagePolicy(config, options),
    'Cache-Control': 'private, no-store',
  })
}

/** Answers with a page without forms. Caches may keep it for a minute as visitors see it. */
export function showPublicPage(
  c: AppContext,
  visit: PageRequest,
  markup: Markup,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  const { config } = c.get('ctx')
  return c.html(markup, 200, {
    'Content-Security-Policy': `${pagePolicy(config)}; media-src ${mediaSources(config)}`,
    'Cache-Control': visit.session === null ? 'public, max-age=60' : 'private, no-store',
    // The address may have another form for programs.
    Vary: 'Accept, Cookie',
    ...headers,
  })
}

/** Answers with a page for the frames of other sites, the same for every visitor. */
export function showFramed(c: AppContext, markup: Markup): Response | Promise<Response> {
  const { config } = c.get('ctx')
  const policy = pagePolicy(config, { isFramed: true })
  return c.html(markup, 200, {
    'Content-Security-Policy': `${policy}; media-src ${mediaSources(config)}`,
    'Cache-Control': 'public, max-age=60',
  })
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
    // By its path: a script that somebody uploaded here could not run.
    ...(script === undefined ? [] : [`script-src ${assetAddress(config.origin, script)}`]),
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
