/**
 * Uses of the platform that it counts, each for the quota of its name.
 *
 * `objectCalls`: calls, alarms and twenty incoming messages of a socket each. `queueOperations`: a write, a read and a
 * deletion for each message, and a read for each retry. `storageWrites` and `storageReads`: operations of R2 of class A
 * and B.
 */
export const usageKinds = [
  'requests',
  'outgoingRequests',
  'statements',
  'rowsRead',
  'rowsWritten',
  'objectCalls',
  'queueOperations',
  'storageWrites',
  'storageReads',
  'imageTransformations',
  'mails',
] as const
export type UsageKind = (typeof usageKinds)[number]

/** Operations of a message of a queue up to 64 KB, counted when it is sent: it is written, read and deleted. */
export const operationsPerMessage = 3

export type UsageCounts = Readonly<Record<UsageKind, number>>

/** Kinds whose daily quota on the free plan is hard: beyond it every call fails until midnight (UTC). */
export const dailyQuotas = ['requests', 'rowsRead', 'rowsWritten', 'objectCalls', 'queueOperations'] as const
export type DailyQuota = (typeof dailyQuotas)[number]

/** Limit of a day for each kind; null for none. */
export type DailyLimits = Readonly<Record<DailyQuota, number | null>>

export function noUsage(): Record<UsageKind, number> {
  return {
    requests: 0,
    outgoingRequests: 0,
    statements: 0,
    rowsRead: 0,
    rowsWritten: 0,
    objectCalls: 0,
    queueOperations: 0,
    storageWrites: 0,
    storageReads: 0,
    imageTransformations: 0,
    mails: 0,
  }
}

export function sumUsage(...counts: readonly Partial<UsageCounts>[]): Record<UsageKind, number> {
  const sum = noUsage()
  for (const one of counts) for (const kind of usageKinds) sum[kind] += one[kind] ?? 0
  return sum
}

/** Largest share of a daily limit that is used; 0 where there are no limits. */
export function shareOfDay(counts: UsageCounts, limits: DailyLimits): number {
  return dailyQuotas.reduce((largest, kind) => {
    const limit = limits[kind]
    return limit === null ? largest : Math.max(largest, counts[kind] / limit)
  }, 0)
}
