import { ButtonLink } from '../../components/button'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import type { PageFrame } from '../../member-pages/declaration'
import { paths } from '../../paths'

export interface RecoveryCodesPageProps extends PageFrame {
  readonly codes: readonly string[]
  /** Page that a second factor was required for; null where it was set up by itself. */
  readonly returnTo: string | null
}

/** Recovery codes, shown this one time. */
export function RecoveryCodesPage({ site, viewer, codes, returnTo }: RecoveryCodesPageProps) {
  const t = useTranslation()
  return (
    <Layout site={site} viewer={viewer} title={t('Your recovery codes')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('Your recovery codes')}</h1>
        <p>
          {t.rich(
            'Keep them where you find them without your phone: on paper, or in a password manager. If you lose your other ways to sign in, each of them works once. <b>They are not shown again.</b>',
            { b: (words) => <strong>{words}</strong> },
          )}
        </p>
        <ol class="recovery-codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="actions">
          <ButtonLink href={returnTo ?? paths.twoFactor}>{t('I have kept them')}</ButtonLink>
        </div>
      </div>
    </Layout>
  )
}
