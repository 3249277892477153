import { eq } from 'drizzle-orm'
import { combineQueries, constant, execute, first } from '../../../db/query'
import { alerts } from '../../../db/schema'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import type { TranslateText } from '../../../lib/translate'
import { derivedWebhookSecret } from '../../../lib/webhooks/derived-secret'
import type { Ctx } from '../../../ports/ctx'
import { done, ignored, type Outcome, retry } from '../../core/changes'
import { translateFor } from '../../core/translate'
import { pickSettings } from '../../instance/settings'
import { findMemberById } from '../../users/find'
import { postToWebhook } from '../post'
import { type Alert, sentenceOf } from './causes'

/** The queue tries nine times: two hours. */
const retrySeconds = 900

/** Webhook of alerts, for the secret that is derived for it: ids of others are above 0. */
const ownWebhook = { id: 0, secretVersion: 0, sealedSecret: null, template: '' }

/** An alert to send: to the webhook of alerts, or by mail to an owner. */
export interface AlertOrder {
  readonly cause: string
  readonly isResolved: boolean
  readonly accountId: AccountId | null
}

/** Secret that requests to the webhook of alerts are signed with. It changes with the secret of the server. */
export function alertsSecret({ config }: Pick<Ctx, 'config'>): Promise<string> {
  return derivedWebhookSecret(config.secrets, ownWebhook)
}

/** Causes whose alerts are sent without a row on record: tests, and a database that takes none. */
const unstoredCauses: readonly string[] = ['test', 'database']

/** Sends an alert, if it still holds as ordered: handles `send-alert`. */
export async function sendAlert(ctx: Ctx, { cause, isResolved, accountId }: AlertOrder): Promise<Outcome> {
  const { stored, settings, member } = await execute(
    ctx.db,
    combineQueries({
      stored: first(ctx.db.select().from(alerts).where(eq(alerts.cause, cause))),
      settings: pickSettings(ctx, ['alertsWebhook', 'alertsEmail']),
      member: accountId === null ? constant(null) : findMemberById(ctx, accountId),
    }),
  )
  const isAsOrdered = stored !== null && (stored.resolvedAt !== null) === isResolved
  const isUnstored = unstoredCauses.includes(cause) && !isResolved
  const alert = isAsOrdered ? stored : isUnstored ? unstoredAlert(ctx, cause) : null
  if (alert === null) return ignored('the alert changed meanwhile')
  if (ctx.clock.now().getTime() - alert.notifiedAt.getTime() > 2 * dayMilliseconds && !isResolved)
    return ignored('the alert is old')
  if (accountId !== null) {
    if (ctx.mailer === null || member === null || !settings.alertsEmail) return ignored('no mail is wanted')
    const t = await translateFor(ctx, member.locale)
    await ctx.mailer.send({ to: member.email, ...mailOf(ctx, t, alert) })
    return done
  }
  if (settings.alertsWebhook === null) return ignored('no webhook is set')
  const webhook = { ...ownWebhook, url: settings.alertsWebhook }
  const { error } = await postToWebhook(
    ctx,
    webhook,
    payloadOf(ctx, await translateFor(ctx, 'en'), alert),
    null,
  )
  return error === null ? done : retry(retrySeconds)
}

function unstoredAlert({ clock }: Ctx, cause: string): Alert {
  const now = clock.now()
  return { cause, figure: 0, since: now, notifiedAt: now, resolvedAt: null }
}

function payloadOf({ config, clock }: Ctx, t: TranslateText, alert: Alert) {
  const { cause, figure, since, resolvedAt } = alert
  return {
    event: 'alert',
    created_at: clock.now().toISOString(),
    server: config.domain,
    object: {
      cause,
      state: resolvedAt === null ? 'firing' : 'resolved',
      since: since.toISOString(),
      resolved_at: resolvedAt?.toISOString() ?? null,
      figure,
      text: resolvedAt === null ? sentenceOf(t, alert) : `Over: ${cause}`,
    },
  }
}

function mailOf({ config: { domain } }: Ctx, t: TranslateText, alert: Alert) {
  const { cause, since, resolvedAt } = alert
  const moment = since.toISOString()
  if (resolvedAt !== null)
    return {
      subject: t('mail.alert.domainOverCause', { domain, cause }),
      text: plainText(t('mail.alert.whatReportedAboutDomain', { domain, cause, moment })),
    }
  return {
    subject: t('mail.alert.domainNeedsCause', { domain, cause }),
    text: plainText(
      sentenceOf(t, alert),
      `${t('mail.alert.serverDomain', { domain })}\n${t('mail.alert.sinceMoment', { moment })}`,
      t('mail.alert.whileLastsMailedOnce'),
      'npx fieldfare settings set alertsEmail=false',
    ),
  }
}
