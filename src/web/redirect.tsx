import type { AppContext } from '../ports/app-env'
import { showPage } from './page'
import { LeavingPage } from './pages/profile/leaving'

/**
 * Redirects to `url` if it is on this server; else shows a page that names the other site. A redirect would lend the
 * name of this server to sites that remote accounts choose.
 */
export function redirectOrWarn(c: AppContext, url: string): Response | Promise<Response> {
  const { origin } = c.get('ctx').config
  if (URL.parse(url)?.origin === origin) return c.redirect(url)
  return showPage(c, <LeavingPage url={url} />)
}
