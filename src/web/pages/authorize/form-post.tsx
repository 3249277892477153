import { Button } from '../../components/button'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'

export interface FormPostPageProps {
  /** The address of the application. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly applicationName: string
}

/** Carries the answer to applications that want it as a form: without scripts the person sends it on. */
export function FormPostPage({ action, fields, applicationName }: FormPostPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('authorize.backApp')} width="narrow" isPrivate>
      <div class="card">
        <h1>
          {t.rich('authorize.formPost.backToName', {
            app: (words) => <bdi>{words}</bdi>,
            name: applicationName,
          })}
        </h1>
        <form method="post" action={action} class="form">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <Button>{t('common.continue')}</Button>
        </form>
      </div>
    </Layout>
  )
}
