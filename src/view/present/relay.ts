import type { Relay as RelayEntity } from '../../contract/entities/admin/relay'
import type { relays } from '../../db/schema'
import { timestamp } from './time'

export function presentRelay(relay: typeof relays.$inferSelect): RelayEntity {
  return {
    id: String(relay.id),
    inbox_url: relay.inboxUrl,
    state: relay.state,
    created_at: timestamp(relay.createdAt),
    updated_at: timestamp(relay.updatedAt),
  }
}
