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
    <FormPage site={site} viewer={viewer} title={t('admin.webhooks.testWebhook')} errors={{}}>
      <p>
        {error === null ? (
          <span class="badge badge-success">{t('admin.webhooks.delivered')}</span>
        ) : (
          <span class="badge badge-warning">{t('admin.failed')}</span>
        )}{' '}
        {httpStatus !== null && t('admin.webhooks.itAnsweredStatus', { status: String(httpStatus) })}{' '}
        {t('admin.webhooks.millisecondsMs', { milliseconds: durationMs ?? 0 })}
      </p>
      {error !== null && (
        <p class="muted" lang="en">
          <bdi>{error}</bdi>
        </p>
      )}
      <p>
        <a href={backTo}>{t('admin.webhooks.deliveriesWebhook')}</a>
      </p>
    </FormPage>
  )
}

/** Secret that deliveries are signed with: shown once. */
export function WebhookSecret({ site, viewer, secret }: PageProps & { readonly secret: string }) {
  const t = useTranslation()
  return (
    <FormPage site={site} viewer={viewer} title={t('admin.webhooks.secretWebhook')} errors={{}}>
      <p>{t('admin.webhooks.deliveriesSignedXHub')}</p>
      <p>
        <code class="code-to-copy">{secret}</code>
      </p>
      <p>
        <a href="/admin/webhooks">{t('admin.webhooks.webhooks')}</a>
      </p>
    </FormPage>
  )
}
