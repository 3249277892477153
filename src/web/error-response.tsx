import { constant, execute } from '../db/query'
import { defaultSettings, pickSettings } from '../domain/instance/settings'
import { AppError, NotFound, RateLimited } from '../errors'
import { prefersData } from '../lib/accept'
import { hasJsonExtension } from '../lib/route-path'
import type { AppContext } from '../platform/app-env'
import { ErrorPage } from './components/error-page'
import { showPage } from './page'
import { siteOf } from './site-of'

/** Paths whose answers are read by programs, whatever they say they accept. */
const programPaths =
  /^\/(api|setup|media|nodeinfo|health|inbox|actor|\.well-known)(\/|$)|^\/oauth\/(token|revoke|userinfo|applications)(\/|$)/

/** Whether a failure is answered in JSON: on paths of the API, and for requests that prefer it. */
export function wantsJson(c: AppContext): boolean {
  if (programPaths.test(c.req.path) || hasJsonExtension(c.req.raw)) return true
  return prefersData(c.req.header('accept'))
}

/** The page for a failure: what the person may know of it, in the look of the server. */
export async function renderError(c: AppContext, failure: unknown): Promise<Response> {
  const ctx = c.get('ctx')
  const told = failure instanceof AppError ? failure : null
  // The page does without the database where that may be the cause or is to be spared.
  const isSparing = told === null || told instanceof RateLimited
  const wanted = isSparing ? constant(defaultSettings) : pickSettings(ctx, ['title', 'termsOfService'])
  const site = siteOf(ctx.config, await execute(ctx.db, wanted))
  const status = told?.status ?? 500
  const message = told === null || told instanceof NotFound ? null : told.message
  // Refusals are not logged, so the number would be of no use.
  const requestId = told === null ? ctx.requestId : null
  const page = { site, viewer: null, status, message, requestId }
  const response = await showPage(c, <ErrorPage {...page} />, { status })
  for (const [name, value] of Object.entries(told?.headers ?? {})) response.headers.set(name, value)
  return response
}
