import type { WebhookFact } from '../domain/webhooks/deliveries'
import type { DomainEvent } from '../messages/events'

/**
 * The event of webhooks that a fact is; null for the others. As in Mastodon an account counts as approved once its
 * address is confirmed as well, and a reblog is a status.
 */
export function webhookFactOf(event: DomainEvent): Omit<WebhookFact, 'sourceId'> | null {
  switch (event.kind) {
    case 'account.created':
    case 'account.updated':
      return { event: event.kind, objectId: event.accountId }
    case 'member.joined':
      return { event: 'account.approved', objectId: event.accountId }
    case 'report.created':
    case 'report.updated':
      return { event: event.kind, objectId: event.reportId }
    case 'reblog.created':
      return { event: 'status.created', objectId: event.statusId }
    case 'status.created':
    case 'status.updated':
      return { event: event.kind, objectId: event.statusId }
    default:
      return null
  }
}
