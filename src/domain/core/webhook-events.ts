import { type SQL, sql } from 'drizzle-orm'
import type { DomainEvent } from '../../messages/events'
import type { Changes } from './changes'

/** Events that only webhooks receive. */
type WebhookOnlyEvent = Extract<
  DomainEvent,
  { readonly kind: 'account.created' | 'report.created' | 'report.updated' }
>

const hasWebhooks = sql`exists (select 1 from webhooks where enabled = 1)`

/**
 * Emits an event that only webhooks receive: stored where one is enabled, so that servers without webhooks neither write
 * nor handle it. With `condition` it is stored only where that holds after all other writes.
 */
export function emitToWebhooks(changes: Changes, event: WebhookOnlyEvent, condition?: SQL): Changes {
  const isStored = condition === undefined ? hasWebhooks : sql`${condition} and ${hasWebhooks}`
  return changes.emitWhere(isStored, event)
}
