import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { problemText } from '../../problem-texts'
import type { PageProps } from '../../site'

export interface OAuthErrorPageProps extends PageProps {
  /** As in RFC 6749, e.g. `invalid_scope`. */
  readonly error: string
  readonly description: string
}

/** For requests that must not be sent back to the application, because the redirect address is not verified. */
export function OAuthErrorPage({ site, viewer, error, description }: OAuthErrorPageProps) {
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
        <p class="muted">
          {t.rich('Error code: <code>{error}</code>', { code: (words) => <code>{words}</code>, error })}
        </p>
      </div>
    </Layout>
  )
}
