import type { AppContext } from '../platform/app-env'
import { showPage } from './page'
import type { PageRequest } from './page-request'
import { LeavingPage } from './pages/profile/leaving'

/**
 * Leads a person on to `url`: at once where that is on this server, else by a page that names the other site. A
 * redirect would lend the name of this server to wherever somebody elsewhere wants its readers to be.
 */
export function redirectOrWarn(
  c: AppContext,
  { site, viewer }: PageRequest,
  url: string,
): Response | Promise<Response> {
  const { origin } = c.get('ctx').config
  if (URL.parse(url)?.origin === origin) return c.redirect(url)
  return showPage(c, <LeavingPage site={site} viewer={viewer} url={url} />)
}
