import type { AppContext } from '../ports/app-env'
import { Layout } from './components/layout'
import { useTranslation } from './i18n/context'
import { showPage } from './page'
import { usePage } from './page-context'

/**
 * Redirects to `url` if it is on this server; else shows a page that names the other site. A redirect would lend the
 * name of this server to sites that remote accounts choose.
 */
export function redirectOrWarn(c: AppContext, url: string): Response | Promise<Response> {
  const { origin } = c.get('ctx').config
  if (URL.parse(url)?.origin === origin) return c.redirect(url)
  return showPage(c, <LeavingPage url={url} />)
}

interface LeavingPageProps {
  /** Address of the other site. */
  readonly url: string
}

/** Names the other site before the visitor goes there: a local link must not lead elsewhere unseen. */
export function LeavingPage({ url }: LeavingPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const title = t('profile.leaving.leavingDomain', { domain: site.domain })
  const address = URL.parse(url)
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return (
    <Layout title={title} isPrivate>
      <div class="block">
        <p>{t('profile.leaving.whatFollowedLinkAnother')}</p>
        <p>
          {address !== null && isWeb ? (
            <a href={address.href} rel="nofollow noopener noreferrer">
              <bdi>{address.href}</bdi>
            </a>
          ) : (
            <bdi>{url}</bdi>
          )}
        </p>
      </div>
    </Layout>
  )
}
