import type { AppContext } from '../ports/app-env'
import { paths, signInPath } from './paths'
import type { Site } from './site'

/**
 * A path on this server to continue to, from what a request says; null for anything that leads elsewhere.
 *
 * Browsers read `//host`, `/\host` and addresses with tabs or newlines in them as other servers.
 */
export function localPath(text: string | null | undefined, origin: string): string | null {
  if (text == null || text.length > 8_000 || !text.startsWith('/')) return null
  if (/[\\\p{Cc}]/u.test(text) || text.startsWith('//')) return null
  const url = URL.parse(text, origin)
  if (url === null || url.origin !== origin) return null
  const path = url.pathname + url.search
  // Dots may collapse into a path that begins with two slashes.
  return path.startsWith('//') ? null : path
}

/** `localPath` on the server that got the request. */
export function returnToOf(c: AppContext, text: string | undefined): string | null {
  return localPath(text, c.get('ctx').config.origin)
}

/** Redirects a visitor to the sign-in page, which leads back: to the requested page, if not to another. */
export function toSignIn(c: AppContext, returnTo = pathOf(c)): Response {
  return c.redirect(signInPath(returnTo))
}

/** Path and query of the requested page. */
export function pathOf(c: AppContext): string {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}

/** Whether `returnTo` continues to an application. */
export function leadsToApplication(returnTo: string | null): boolean {
  return returnTo?.startsWith(paths.authorize) === true
}

/** Whether a sign-in ends on another site: at an application, or at the client where members begin. */
export function leadsAway(returnTo: string | null, { start }: Pick<Site, 'start'>): boolean {
  return returnTo === null ? !start.startsWith('/') : leadsToApplication(returnTo)
}
