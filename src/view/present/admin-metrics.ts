import type {
  AdminCohort,
  AdminDimension,
  AdminMeasure,
  PlatformUsage,
} from '../../contract/entities/admin/metrics'
import type { PausableWork, Quota, QuotaName, UsageCounts } from '../../contract/usage'
import { timestamp, timestampOrNull } from './time'

/** Shapes of figures, as their domain concept has them. */
interface MeasureFacts {
  readonly key: string
  readonly unit: 'bytes' | null
  readonly total: number
  readonly previousTotal: number | null
  readonly days: readonly { readonly at: Date; readonly value: number }[]
}

interface DimensionFacts {
  readonly key: string
  readonly entries: readonly {
    readonly key: string
    readonly name: string
    readonly value: number | string
    readonly unit: 'bytes' | null
  }[]
}

interface CohortFacts {
  readonly period: Date
  readonly frequency: 'day' | 'month'
  readonly data: readonly { readonly date: Date; readonly rate: number; readonly value: number }[]
}

export function presentMeasure({ key, unit, total, previousTotal, days }: MeasureFacts): AdminMeasure {
  return {
    key,
    unit,
    total: String(total),
    ...(unit === 'bytes' ? { human_value: humanSize(total) } : {}),
    ...(previousTotal === null ? {} : { previous_total: String(previousTotal) }),
    data: days.map(({ at, value }) => ({ date: timestamp(at), value: String(value) })),
  }
}

export function presentDimension({ key, entries }: DimensionFacts): AdminDimension {
  return {
    key,
    data: entries.map((entry) => ({
      key: entry.key,
      human_key: humanKey(key, entry),
      value: String(entry.value),
      ...(entry.unit === null ? {} : { unit: entry.unit, human_value: humanSize(Number(entry.value)) }),
      ...(key === 'software_versions' ? { human_value: String(entry.value) } : {}),
    })),
  }
}

export function presentCohort({ period, frequency, data }: CohortFacts): AdminCohort {
  return {
    period: timestamp(period),
    frequency,
    data: data.map(({ date, rate, value }) => ({ date: timestamp(date), rate, value: String(value) })),
  }
}

const sizes = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A size with at most three significant digits and binary units, as Mastodon writes it. Exported for its own test. */
export function humanSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = Number((bytes / 2 ** (10 * step)).toPrecision(3))
  return step === 0 ? `${bytes} ${bytes === 1 ? 'Byte' : 'Bytes'}` : `${amount} ${sizes[step]}`
}

function humanKey(dimension: string, { key, name }: { readonly key: string; readonly name: string }): string {
  if (dimension === 'sources' && key === 'web') return 'Website'
  return dimension.endsWith('languages') ? languageName(key) : name
}

/** The English name of a language; the code where it is none. */
function languageName(code: string): string {
  if (code === 'und') return 'Unknown'
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(code) ?? code
  } catch (failure) {
    if (failure instanceof RangeError) return code
    throw failure
  }
}

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
