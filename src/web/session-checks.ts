import { Hono } from 'hono'
import { execute } from '../db/query'
import { admitAnonymous } from '../domain/sessions/flood'
import { findSession, hashSessionToken } from '../domain/sessions/web-session'
import type { AppEnv } from '../ports/app-env'
import { clientIp } from '../ports/app-env'
import { readSecretCookie } from './cookies'

/**
 * The one question of the API that a browser may ask with its session: pages of apps poll whether the address is
 * confirmed by now. Without a session, or with a token, the API answers. Scripts of other sites cannot read it:
 * the API allows every origin, but none with cookies.
 */
export function sessionChecks(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/api/v1/emails/check_confirmation', async (c, next) => {
    const ctx = c.get('ctx')
    const bearsToken =
      c.req.header('authorization') !== undefined || c.req.query('access_token') !== undefined
    const secret = bearsToken ? null : await readSecretCookie(c, 'session')
    if (secret === null) return next()
    await admitAnonymous(ctx, clientIp(c))
    const session = await execute(ctx.db, findSession(ctx, await hashSessionToken(secret)))
    if (session === null) return next()
    return c.json(session.confirmed, 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'private, no-store',
      Vary: 'Authorization, Cookie, Origin',
    })
  })
  return app
}
