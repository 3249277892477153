import * as z from 'zod'
import { Alerts, AlertsSecret, SentAlerts } from '../../contract/entities/admin/webhook'
import { translateFor } from '../../domain/core/translate'
import { sentenceOf } from '../../domain/webhooks/alerts/causes'
import { findAlerts, sendTestAlert } from '../../domain/webhooks/alerts/check'
import { alertsSecret } from '../../domain/webhooks/alerts/send'
import { staff } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'

const path = '/api/fieldfare/v1/admin/alerts'

export const adminAlerts = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'What fails, and what failed and is over: one entry for each cause',
    auth: staff('admin:read', 'viewDevops'),
    input: z.object({}),
    output: Alerts,
    read: findAlerts,
    show: async (ctx, { found }) => {
      const t = await translateFor(ctx, 'en')
      return {
        alerts: found.map((alert) => ({
          cause: alert.cause,
          figure: alert.figure,
          text: sentenceOf(t, alert),
          since: alert.since.toISOString(),
          notified_at: alert.notifiedAt.toISOString(),
          resolved_at: alert.resolvedAt?.toISOString() ?? null,
        })),
      }
    },
  }),
  endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary: 'Sends a test to the webhook of alerts, and by mail to the owners, where the settings say so',
    auth: staff('admin:write', 'viewDevops'),
    input: z.object({}),
    output: SentAlerts,
    run: async (ctx) => {
      const { count, lacksMail } = await sendTestAlert(ctx)
      return { count, lacks_mail: lacksMail }
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/secret`,
    summary: 'Secret that requests to the webhook of alerts are signed with',
    auth: staff('admin:read', 'manageWebhooks'),
    input: z.object({}),
    output: AlertsSecret,
    run: async (ctx) => ({ secret: await alertsSecret(ctx) }),
  }),
]
