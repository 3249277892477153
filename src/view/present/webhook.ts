import type { Webhook, WebhookDelivery } from '../../contract/entities/admin/webhook'
import type { webhookDeliveries, webhooks } from '../../db/schema'
import { timestamp, timestampOrNull } from './time'

export function presentWebhook(webhook: typeof webhooks.$inferSelect): Webhook {
  return {
    id: String(webhook.id),
    url: webhook.url,
    events: [...webhook.events],
    template: webhook.template,
    enabled: webhook.enabled,
    failing_since: timestampOrNull(webhook.failingSince),
    created_at: timestamp(webhook.createdAt),
    updated_at: timestamp(webhook.updatedAt),
  }
}

export function presentWebhookDelivery(delivery: typeof webhookDeliveries.$inferSelect): WebhookDelivery {
  return {
    id: String(delivery.id),
    event: delivery.event,
    object_id: String(delivery.objectId),
    state: delivery.state,
    attempts: delivery.attempts,
    http_status: delivery.httpStatus,
    error: delivery.error,
    duration_ms: delivery.durationMs,
    occurred_at: timestamp(delivery.occurredAt),
    attempted_at: timestampOrNull(delivery.attemptedAt),
  }
}
