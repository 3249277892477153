export type QuotaName = Exclude<UsageKind, 'outgoingRequests' | 'statements'> | 'databaseBytes' | 'mediaBytes'

export const quotaPeriods = ['day', 'month', 'total'] as const

/** A quota of the platform, or a limit that the operator set. */
export interface Quota {
  readonly name: QuotaName
  /** Span for which the limit holds, in UTC; `total` for what is stored. */
  readonly period: (typeof quotaPeriods)[number]
  readonly limit: number
  /** Whether calls fail beyond it. Otherwise they are billed. */
  readonly isHard: boolean
}

const gigabyte = 1_000_000_000

/** Quotas of a month or of storage by plan. Source: the platform's pages on pricing and limits, July 2026. */
const quotasOfPlan: Readonly<Record<'free' | 'paid', readonly Quota[]>> = {
  free: [
    { name: 'storageWrites', period: 'month', limit: 1_000_000, isHard: false },
    { name: 'storageReads', period: 'month', limit: 10_000_000, isHard: false },
    { name: 'imageTransformations', period: 'month', limit: 5_000, isHard: true },
    { name: 'databaseBytes', period: 'total', limit: 0.5 * gigabyte, isHard: true },
    { name: 'mediaBytes', period: 'total', limit: 10 * gigabyte, isHard: false },
  ],
  paid: [
    { name: 'requests', period: 'month', limit: 10_000_000, isHard: false },
    { name: 'rowsRead', period: 'month', limit: 25_000_000_000, isHard: false },
    { name: 'rowsWritten', period: 'month', limit: 50_000_000, isHard: false },
    { name: 'objectCalls', period: 'month', limit: 1_000_000, isHard: false },
    { name: 'queueOperations', period: 'month', limit: 1_000_000, isHard: false },
    { name: 'storageWrites', period: 'month', limit: 1_000_000, isHard: false },
    { name: 'storageReads', period: 'month', limit: 10_000_000, isHard: false },
    { name: 'imageTransformations', period: 'month', limit: 5_000, isHard: false },
    { name: 'mails', period: 'month', limit: 3_000, isHard: false },
    { name: 'databaseBytes', period: 'total', limit: 10 * gigabyte, isHard: true },
    { name: 'mediaBytes', period: 'total', limit: 10 * gigabyte, isHard: false },
  ],
}

const dailyLimitsOfPlan: Readonly<Record<'free' | 'paid', DailyLimits>> = {
  free: {
    requests: 100_000,
    rowsRead: 5_000_000,
    rowsWritten: 100_000,
    objectCalls: 100_000,
    queueOperations: 10_000,
  },
  paid: {
    requests: null,
    rowsRead: null,
    rowsWritten: null,
    objectCalls: null,
    queueOperations: null,
  },
}

/** Limits of a day on a plan, with those that the operator set in their place. */
export function dailyLimitsOf(
  plan: 'free' | 'paid',
  given: Readonly<Partial<Record<keyof DailyLimits, number | undefined>>>,
): DailyLimits {
  const usual = dailyLimitsOfPlan[plan]
  return {
    requests: given.requests ?? usual.requests,
    rowsRead: given.rowsRead ?? usual.rowsRead,
    rowsWritten: given.rowsWritten ?? usual.rowsWritten,
    objectCalls: given.objectCalls ?? usual.objectCalls,
    queueOperations: given.queueOperations ?? usual.queueOperations,
  }
}

/** Every quota that holds, those of a day first. */
export function quotasOf(plan: 'free' | 'paid', limits: DailyLimits): readonly Quota[] {
  const ofDay = dailyQuotas.flatMap((name): readonly Quota[] => {
    const limit = limits[name]
    return limit === null ? [] : [{ name, period: 'day', limit, isHard: true }]
  })
  return [...ofDay, ...quotasOfPlan[plan]]
}

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
const dailyQuotas = ['requests', 'rowsRead', 'rowsWritten', 'objectCalls', 'queueOperations'] as const
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

/**
 * Work that is given up for the rest of a day (UTC), in this order, once so much of one of its quotas is used. Members
 * read and post until the quota itself ends.
 *
 * - `imports`: archives are not imported.
 * - `backfill`: older posts, replies and ancestors are not fetched.
 * - `previews`: previews of links wait for the next day.
 * - `trends`: trends stay as they are.
 * - `publicTimelines`: public and hashtag timelines answer 503 to strangers.
 * - `inbox`: other servers get 503 for their activities, and deliver them again later.
 */
export const degradation = [
  ['imports', 0.7],
  ['backfill', 0.8],
  ['previews', 0.85],
  ['trends', 0.9],
  ['publicTimelines', 0.94],
  ['inbox', 0.97],
] as const satisfies readonly (readonly [string, number])[]

export type PausableWork = (typeof degradation)[number][0]

/** Work that is given up at a share of a daily quota, in the order in which it is given up. */
export function pausedAt(share: number): readonly PausableWork[] {
  return degradation.flatMap(([work, from]) => (share >= from ? [work] : []))
}
