import type { Problem } from '../../../errors/sentences'
import { Layout } from '../../components/layout'
import { errorText } from '../../error-texts'
import { useTranslation } from '../../i18n/context'

export interface OAuthErrorPageProps {
  /** As in RFC 6749, e.g. `invalid_scope`. */
  readonly error: string
  readonly reason: Problem
  /** Address of the application with the error in it; null where none is verified. */
  readonly backUrl?: string | null
}

/** For requests that cannot be granted. Nothing is sent to the application unless the person follows the link. */
export function OAuthErrorPage({ error, reason, backUrl = null }: OAuthErrorPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('authorize.oauthError.appCouldNotAuthorised')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('authorize.oauthError.appCouldNotAuthorised')}</h1>
        <p>{errorText(t, reason)}</p>
        <p>{t('authorize.oauthError.accountUntouchedClosePage')}</p>
        {backUrl !== null && (
          <p>
            <a href={backUrl} rel="nofollow noopener noreferrer">
              {t('authorize.backApp')}
            </a>{' '}
            <bdi class="muted">{backUrl.split(/[?#]/, 1)[0]}</bdi>
          </p>
        )}
        <p class="muted">
          {t.rich('authorize.oauthError.errorCodeError', { code: (words) => <code>{words}</code>, error })}
        </p>
      </div>
    </Layout>
  )
}
