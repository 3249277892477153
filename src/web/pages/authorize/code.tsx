import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'

export interface CodePageProps {
  readonly code: string
  readonly applicationName: string
}

/** For applications without an address to return to: the person carries the code over. */
export function CodePage({ code, applicationName }: CodePageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('authorize.code.authorisationCode')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('authorize.code.copyThisCode')}</h1>
        <p>
          {t.rich('authorize.code.pasteIntoNameWithin', {
            app: (words) => (
              <strong>
                <bdi>{words}</bdi>
              </strong>
            ),
            name: applicationName,
          })}
        </p>
        <p>
          <code class="code-to-copy">{code}</code>
        </p>
        <p class="muted">{t('authorize.code.giveNobodyElseWhoever')}</p>
      </div>
    </Layout>
  )
}
