import { combineQueries, execute } from '../../db/query'
import type { AccountId, WebhookId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { translateFor } from '../core/translate'
import { findMemberById } from '../users/find'
import { findWebhook } from './find'

/** Mails a member of the staff that a webhook was disabled after three days of failures: handles `send-webhook-email`. */
export async function mailDisabledWebhook(
  ctx: Ctx,
  { accountId, webhookId }: { readonly accountId: AccountId; readonly webhookId: WebhookId },
): Promise<string | null> {
  const { mailer, config } = ctx
  if (mailer === null) return 'no mailer'
  const { member, webhook } = await execute(
    ctx.db,
    combineQueries({ member: findMemberById(ctx, accountId), webhook: findWebhook(ctx, webhookId) }),
  )
  if (member === null) return 'no such person'
  if (webhook === null || webhook.enabled) return 'no longer disabled'
  const { host } = new URL(webhook.url)
  const { domain } = config
  const t = await translateFor(ctx, member.locale)
  await mailer.send({
    to: member.email,
    subject: t('mail.webhook.webhookDomainDisabled', { domain }),
    text: plainText(
      t('mail.webhook.webhookHostHasFailed', { host, domain }),
      t('mail.webhook.logDeliveriesSaysWhy'),
      'npx fieldfare webhooks enable',
    ),
  })
  return null
}
