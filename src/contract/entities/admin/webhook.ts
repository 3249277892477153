import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** Events of webhooks, in the order of Mastodon's form. */
export const webhookEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

const webhookKeys = z.strictObject({
  id: IdString,
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  // Empty: the payload as it is.
  template: z.string(),
  enabled: z.boolean(),
  // First failure since the last success.
  failing_since: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** An address that receives what happens here. Own entity: Mastodon shows these on pages only. */
export const Webhook = webhookKeys.meta({ id: 'FieldfareWebhook' })
export type Webhook = z.infer<typeof Webhook>

/** A webhook with its secret, which is shown when it is made and never again. */
export const WebhookWithSecret = webhookKeys
  .extend({ secret: z.string() })
  .meta({ id: 'FieldfareWebhookWithSecret' })

/** An entry of the log of deliveries. */
export const WebhookDelivery = z
  .strictObject({
    id: IdString,
    event: z.string(),
    object_id: IdString,
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    // Status of the last response; null where none came.
    http_status: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int().nullable(),
    occurred_at: Timestamp,
    attempted_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareWebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Result of a test delivery, which is not logged. */
export const WebhookTest = z
  .strictObject({
    delivered: z.boolean(),
    http_status: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'FieldfareWebhookTest' })

/** Alerts to the operator by their causes, those that last first. Own entity. */
export const Alerts = z
  .strictObject({
    alerts: z.array(
      z.strictObject({
        cause: z.string(),
        /** Number of what failed, or percent of a quota. */
        figure: z.int(),
        text: z.string(),
        since: Timestamp,
        notified_at: Timestamp,
        resolved_at: Timestamp.nullable(),
      }),
    ),
  })
  .meta({ id: 'FieldfareAlerts' })

/** Number of alerts that were queued. Own entity. */
export const SentAlerts = z
  .strictObject({
    count: z.int().min(0),
    /** Whether the settings want mail, and the server sends none. */
    lacks_mail: z.boolean(),
  })
  .meta({ id: 'FieldfareSentAlerts' })

/** Secret of the webhook of alerts. Own entity. */
export const AlertsSecret = z.strictObject({ secret: z.string() }).meta({ id: 'FieldfareAlertsSecret' })
