import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../ports/app-env'
import { memberOf, openPage } from './page-request'
import { toSignIn } from './return-to'

/**
 * Route middleware: redirects visitors to the sign-in page where federation is limited, before anything is looked up, so
 * that existing and missing pages answer alike. Costs a trip for the session there, and nothing on other servers.
 */
export const requireMember: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.get('ctx').config.federation.limited && memberOf(await openPage(c)) === null) return toSignIn(c)
  await next()
  return undefined
}
