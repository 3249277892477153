import type { testWebhook } from '../../../domain/webhooks/post'
import { useTranslation } from '../../i18n/context'
import type { PageProps } from '../../site'
import { FormPage } from '../form-page'

export interface WebhookOutcomeProps extends PageProps {
  readonly outcome: Awaited<ReturnType<typeof testWebhook>>
  readonly backTo: string
}

/** Answer of the address of a webhook to a test: shown once. */
export function WebhookOutcome({ site, viewer, outcome, backTo }: WebhookOutcomeProps) {
  const t = useTranslation()
  const { httpStatus, error, durationMs } = outcome
  return (
    <FormPage site={site} viewer={viewer} title={t('Test of the webhook')} errors={{}}>
      <p>
        {error === null ? (
          <span class="badge badge-success">{t('delivered')}</span>
        ) : (
          <span class="badge badge-warning">{t('failed')}</span>
        )}{' '}
        {httpStatus !== null && t('It answered {status}.', { status: String(httpStatus) })}{' '}
        {t('{milliseconds, number} ms', { milliseconds: durationMs ?? 0 })}
      </p>
      {error !== null && (
        <p class="muted" lang="en">
          <bdi>{error}</bdi>
        </p>
      )}
      <p>
        <a href={backTo}>{t('Deliveries to a webhook')}</a>
      </p>
    </FormPage>
  )
}

/** Secret that deliveries are signed with: shown once. */
export function WebhookSecret({ site, viewer, secret }: PageProps & { readonly secret: string }) {
  const t = useTranslation()
  return (
    <FormPage site={site} viewer={viewer} title={t('Secret of the webhook')} errors={{}}>
      <p>{t('Deliveries are signed with it (X-Hub-Signature). It is shown this once.')}</p>
      <p>
        <code class="code-to-copy">{secret}</code>
      </p>
      <p>
        <a href="/admin/webhooks">{t('Webhooks')}</a>
      </p>
    </FormPage>
  )
}
