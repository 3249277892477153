import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { problemText } from '../../problem-texts'
import type { PageProps } from '../../site'

export interface OAuthErrorPageProps extends PageProps {
  /** As in RFC 6749, e.g. `invalid_scope`. */
  readonly error: string
  readonly description: string
  /** Address of the application with the error in it; null where none is verified. */
  readonly backUrl?: string | null
}

/** For requests that cannot be granted. Nothing is sent to the application unless the person follows the link. */
export function OAuthErrorPage({ site, viewer, error, description, backUrl = null }: OAuthErrorPageProps) {
  const t = useTranslation()
  return (
    <Layout site={site} viewer={viewer} title={t('The app could not be authorised')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('The app could not be authorised')}</h1>
        <p>{problemText(t, description)}</p>
        <p>
          {t(
            'Your account is untouched. Close this page, start again in the app, and tell its makers if it fails again.',
          )}
        </p>
        {backUrl !== null && (
          <p>
            <a href={backUrl} rel="nofollow noopener noreferrer">
              {t('Back to the app')}
            </a>{' '}
            <bdi class="muted">{backUrl.split(/[?#]/, 1)[0]}</bdi>
          </p>
        )}
        <p class="muted">
          {t.rich('Error code: <code>{error}</code>', { code: (words) => <code>{words}</code>, error })}
        </p>
      </div>
    </Layout>
  )
}
