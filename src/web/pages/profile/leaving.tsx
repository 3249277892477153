import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'

export interface LeavingPageProps {
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
