import type {
  AdminArchiveImport,
  Pruning,
  Relay as RelayEntity,
} from '../../contract/entities/admin/maintenance'
import type { Webhook, WebhookDelivery } from '../../contract/entities/admin/webhook'
import type { relays, webhookDeliveries, webhooks } from '../../db/schema'
import { timestamp, timestampOrNull } from './time'

/** State of pruning with its limits; times in milliseconds, 0 for those that have not come. */
export interface PruningFacts {
  readonly state: Pick<Pruning, 'outcome' | 'bytes' | 'stage'> & {
    readonly measuredAt: number
    readonly restUntil: number
    readonly lastPrunedAt: number | null
    readonly today: Pruning['pruned_today']
    readonly total: Pruning['pruned_in_total']
    readonly rowsRead: number
    readonly rowsWritten: number
  }
  /** Whether the settings have pruning on. */
  readonly isOn: boolean
  readonly limits: { readonly bytes: number; readonly rowsRead: number; readonly rowsWritten: number }
}

/** The last run used the size and settings of its time. */
function outcomeNow({ state, limits, isOn }: PruningFacts): Pruning['outcome'] {
  if (!isOn) return 'off'
  if (state.outcome !== 'off' && state.outcome !== 'within budget') return state.outcome
  return state.bytes > limits.bytes ? 'above budget' : 'within budget'
}

export function presentPruning(facts: PruningFacts): Pruning {
  const { state, limits } = facts
  const at = (time: number | null) => timestampOrNull(time === null || time === 0 ? null : new Date(time))
  return {
    outcome: outcomeNow(facts),
    bytes: state.bytes,
    budget_bytes: limits.bytes,
    measured_at: at(state.measuredAt),
    next_run_at: at(state.restUntil),
    last_pruned_at: at(state.lastPrunedAt),
    stage: state.stage,
    pruned_today: state.today,
    pruned_in_total: state.total,
    rows_today: { read: state.rowsRead, written: state.rowsWritten },
    rows_a_day: { read: limits.rowsRead, written: limits.rowsWritten },
  }
}

export function presentRelay(relay: typeof relays.$inferSelect): RelayEntity {
  return {
    id: String(relay.id),
    inbox_url: relay.inboxUrl,
    state: relay.state,
    created_at: timestamp(relay.createdAt),
    updated_at: timestamp(relay.updatedAt),
  }
}

interface ImportFacts {
  readonly id: number
  readonly accountId: number
  readonly username: string
  readonly actorUri: string
  readonly proof: AdminArchiveImport['proof']
  readonly imported: number
  readonly bytes: number
  readonly files: number
  readonly fileBytes: number
  readonly createdAt: Date
  readonly progressedAt: Date
  readonly removedAt: Date | null
}

export function presentAdminArchiveImport(row: ImportFacts): AdminArchiveImport {
  return {
    id: String(row.id),
    account_id: String(row.accountId),
    username: row.username,
    actor: row.actorUri,
    proof: row.proof,
    imported_count: row.imported,
    bytes: row.bytes,
    files_count: row.files,
    file_bytes: row.fileBytes,
    created_at: timestamp(row.createdAt),
    progressed_at: timestamp(row.progressedAt),
    removed_at: row.removedAt === null ? null : timestamp(row.removedAt),
  }
}

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
