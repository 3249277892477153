import { combineQueries, execute } from '../db/query'
import { translateFor } from '../domain/core/translate'
import { defaultSettings, pickPageSettings } from '../domain/instance/settings'
import { AppError, NotFound, RateLimited, Unavailable } from '../errors'
import { prefersData } from '../lib/request-headers'
import { hasJsonExtension } from '../lib/route-path'
import type { AppContext } from '../ports/app-env'
import { ErrorPage } from './components/error-page'
import { ExpiredForm, OtherAccountForm } from './csrf'
import { describeProblems } from './error-texts'
import { showOtherAccount } from './other-account'
import { showPage } from './page'
import type { Page } from './page-context'
import { findViewer, openedVisit } from './page-request'
import { paths, signInPath } from './paths'
import { pathOf } from './return-to'
import { lookSettings, siteOf } from './site-of'
import { showExpiredForm } from './unsent-form'

/** Paths whose answers are read by programs, whatever they say they accept. */
const programPaths =
  /^\/(api|setup|media|nodeinfo|health|metrics|inbox|actor|\.well-known)(\/|$)|^\/oauth\/(token|revoke|userinfo|applications)(\/|$)/

/** Whether a failure is answered in JSON: on paths of the API, and for requests that prefer it. */
export function wantsJson(c: AppContext): boolean {
  if (programPaths.test(c.req.path) || hasJsonExtension(c.req.raw)) return true
  return prefersData(c.req.header('accept'))
}

/** The media type of RFC 9457: programs that accept it get the problems of a refusal beside Mastodon's English. */
const problemType = 'application/problem+json'

/** A refusal as JSON. */
export async function answerRefusal(
  c: AppContext,
  { message: error, extra, status, headers, problems: found }: AppError,
  general: Readonly<Record<string, string>>,
): Promise<Response> {
  const plain = { ...general, ...headers }
  if (c.req.header('accept')?.includes(problemType) !== true)
    return c.json({ error, ...extra }, status, plain)
  const problems = describeProblems(await translateFor(c.get('ctx'), 'en'), found)
  const type = { 'Content-Type': `${problemType}; charset=utf-8` }
  return c.json({ error, ...extra, problems }, status, { ...plain, ...type })
}

/** The error page, in the same layout as other pages for the viewer. */
export async function renderError(c: AppContext, failure: unknown): Promise<Response> {
  const { requestId } = c.get('ctx')
  const other = failure instanceof OtherAccountForm ? await showOtherAccount(c, failure) : null
  if (other !== null) return other
  const expired = failure instanceof ExpiredForm ? await showExpiredForm(c, failure) : null
  if (expired !== null) return expired
  const known = failure instanceof AppError ? failure : null
  const { site, viewer } = await frameOf(c, known)
  const status = known?.status ?? 500
  const page = {
    status,
    problems: known === null || isUsual(known) ? null : known.problems,
    // Refusals are not logged, so the number would be of no use.
    requestId: known === null ? requestId : null,
    signInPath: viewer === null ? signInPathOf(c, status) : null,
  }
  const response = await showPage(c, <ErrorPage {...page} />, { site, viewer, status })
  for (const [name, value] of Object.entries(known?.headers ?? {})) response.headers.set(name, value)
  return response
}

/** Frame of the page: that of the visit, if the request got so far. The database is left alone where it may be the cause. */
async function frameOf(c: AppContext, failure: AppError | null): Promise<Pick<Page, 'site' | 'viewer'>> {
  const visit = openedVisit(c)
  if (visit !== null) return visit
  const { config, db } = c.get('ctx')
  const isSparing = failure === null || failure instanceof RateLimited || failure instanceof Unavailable
  if (isSparing) return { site: siteOf(config, { ...defaultSettings, cssSavedAt: null }), viewer: null }
  const settings = pickPageSettings(c.get('ctx'), ['title', 'termsOfService', ...lookSettings])
  const found = await execute(db, combineQueries({ settings, viewer: await findViewer(c) }))
  return { site: siteOf(config, found.settings), viewer: found.viewer }
}

/** Whether the usual sentence of the page says more to people than the reason. */
function isUsual(failure: AppError): boolean {
  return (
    failure instanceof NotFound ||
    failure instanceof RateLimited ||
    failure.problems.some(({ code }) => code === 'forbidden')
  )
}

/** Path where a visitor signs in to see more and is led back; the same for pages that exist and that do not. */
function signInPathOf(c: AppContext, status: number): string | null {
  if (status !== 403 && status !== 404) return null
  return c.req.method === 'GET' ? signInPath(pathOf(c)) : paths.signIn
}
