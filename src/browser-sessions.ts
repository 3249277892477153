import type { MiddlewareHandler } from 'hono'
import { hashSessionToken } from './domain/sessions/web-session'
import type { AppContext, AppEnv, BrowserSession } from './ports/app-env'
import { readSecretCookie } from './web/cookies'
import { provesCsrf, refuseOtherAccount } from './web/session-proof'

/**
 * Lets pages of this server call the API and its streams with the session of the browser, and no other site: a cookie
 * that comes with a request of another origin, or of an unknown one, is ignored (`BrowserSession`).
 *
 * With several accounts in the browser, the token in the header names the account whose page asks: a page of another account than the
 * active one is refused, also where it only reads.
 *
 * Responses to a cookie are never cached. They are readable by scripts of other origins no more than before: the API
 * allows every origin, but none with cookies.
 */
export const browserSessions: MiddlewareHandler<AppEnv> = async (c, next) => {
  const secret = await readSecretCookie(c, 'session')
  if (secret !== null) {
    c.set('browserSession', await sessionOf(c, secret))
    await refuseOtherAccount(c, secret)
  }
  await next()
  if (c.req.header('cookie') === undefined) return
  c.res.headers.set('Cache-Control', 'private, no-store')
}

async function sessionOf(c: AppContext, secret: string): Promise<BrowserSession> {
  return { hash: (await isFromOwnPage(c, secret)) ? await hashSessionToken(secret) : null }
}

/**
 * Whether a page of this server makes the request. To write it takes the origin and the CSRF token of a page in a header,
 * which no form can send; to open a socket, where browsers always send it, the origin; to read, what the browser says
 * about the site that asks, or a token where it says nothing.
 */
async function isFromOwnPage(c: AppContext, secret: string): Promise<boolean> {
  const origin = c.req.header('origin')
  const isOwn = origin === c.get('ctx').config.origin
  if (origin !== undefined && !isOwn) return false
  const isRead = c.req.raw.method === 'GET' || c.req.raw.method === 'HEAD'
  // Browsers do not agree on the site of a request for a socket.
  if (isRead && c.req.header('upgrade') !== undefined) return isOwn
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  if (!isRead) return isOwn && provesCsrf(c, secret)
  return site !== undefined || isOwn || provesCsrf(c, secret)
}
