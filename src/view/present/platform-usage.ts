import type { PlatformUsage } from '../../contract/entities/admin/platform-usage'
import type { PausableWork } from '../../lib/usage/degradation'
import type { UsageCounts } from '../../lib/usage/kinds'
import type { Quota, QuotaName } from '../../lib/usage/quotas'
import { timestamp, timestampOrNull } from './time'

/** Usage of the platform, as `domain/instance/usage` reads it. */
export interface UsageFacts {
  readonly at: Date
  readonly plan: PlatformUsage['plan']
  readonly today: UsageCounts
  readonly resetsAt: Date
  readonly paused: readonly PausableWork[]
  readonly quotas: readonly (Quota & {
    readonly used: number
    readonly share: number
    readonly forecast: number | null
    readonly fullAt: Date | null
  })[]
}

type WireName = PlatformUsage['quotas'][number]['name']

const names: Readonly<Record<QuotaName, WireName>> = {
  requests: 'requests',
  rowsRead: 'rows_read',
  rowsWritten: 'rows_written',
  objectCalls: 'object_calls',
  queueOperations: 'queue_operations',
  storageWrites: 'storage_writes',
  storageReads: 'storage_reads',
  imageTransformations: 'image_transformations',
  mails: 'mails',
  databaseBytes: 'database_bytes',
  mediaBytes: 'media_bytes',
}

export function presentPlatformUsage({
  at,
  plan,
  today,
  resetsAt,
  paused,
  quotas,
}: UsageFacts): PlatformUsage {
  return {
    plan,
    measured_at: timestamp(at),
    resets_at: timestamp(resetsAt),
    paused: paused.map((work) => (work === 'publicTimelines' ? 'public_timelines' : work)),
    quotas: quotas.map(({ name, period, used, limit, share, isHard, forecast, fullAt }) => ({
      name: names[name],
      period,
      used,
      limit,
      share,
      hard: isHard,
      forecast,
      full_at: timestampOrNull(fullAt),
    })),
    outgoing_requests: today.outgoingRequests,
    statements: today.statements,
  }
}
