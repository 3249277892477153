import { ButtonLink } from '../../components/button'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'

export interface RecoveryCodesPageProps {
  readonly codes: readonly string[]
  /** Page that a second factor was required for; null where it was set up by itself. */
  readonly returnTo: string | null
}

/** Recovery codes, shown this one time. */
export function RecoveryCodesPage({ codes, returnTo }: RecoveryCodesPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('twoFactor.recoveryCodes.yourRecoveryCodes')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('twoFactor.recoveryCodes.yourRecoveryCodes')}</h1>
        <p>
          {t.rich('twoFactor.recoveryCodes.keepWhereFindWithout', { b: (words) => <strong>{words}</strong> })}
        </p>
        <ol class="recovery-codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="actions">
          <ButtonLink href={returnTo ?? paths.twoFactor}>{t('twoFactor.recoveryCodes.iHaveKept')}</ButtonLink>
        </div>
      </div>
    </Layout>
  )
}
