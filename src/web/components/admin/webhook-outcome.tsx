import type { testWebhook } from '../../../domain/webhooks/post'
import { useTranslation } from '../../i18n/context'
import { FormPage } from '../form-page'

export interface WebhookOutcomeProps {
  readonly outcome: Awaited<ReturnType<typeof testWebhook>>
  readonly backTo: string
}

/** Answer of the address of a webhook to a test: shown once. */
export function WebhookOutcome({ outcome, backTo }: WebhookOutcomeProps) {
  const t = useTranslation()
  const { httpStatus, error, durationMs } = outcome
  return (
    <FormPage title={t('admin.webhooks.testWebhook')}>
      <p>
        {error === null ? (
          <span class="tag ok">{t('admin.webhooks.delivered')}</span>
        ) : (
          <span class="tag warn">{t('admin.failed')}</span>
        )}{' '}
        {httpStatus !== null && t('admin.webhooks.itAnsweredStatus', { status: String(httpStatus) })}{' '}
        {t('admin.webhooks.millisecondsMs', { milliseconds: durationMs ?? 0 })}
      </p>
      {error !== null && (
        <p class="quiet small" lang="en">
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
export function WebhookSecret({ secret }: { readonly secret: string }) {
  const t = useTranslation()
  return (
    <FormPage title={t('admin.webhooks.secretWebhook')}>
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
