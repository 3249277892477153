import { dayOf } from '../days'
import { noUsage, sumUsage, type UsageCounts, type UsageKind } from './quotas'

/** Uses of a day, as they are stored. */
export interface UsageOfDay {
  readonly day: number
  readonly counts: UsageCounts
  /** Size of the database after the last statement; null where none was run. */
  readonly databaseBytes: number | null
}

/** Minimum gap between two times at which an isolate stores its counts, and the longest time for which it keeps few. */
const gapMilliseconds = 2 * 60_000
const longestMilliseconds = 10 * 60_000

/** Uses that are stored after the gap: a thousandth of a day on the free plan. */
const notable: Readonly<Partial<UsageCounts>> = {
  requests: 100,
  rowsRead: 5_000,
  rowsWritten: 100,
  objectCalls: 100,
  queueOperations: 10,
  storageWrites: 100,
  imageTransformations: 5,
  mails: 5,
}

/** Counts of an isolate: those not stored yet, and what is known to be stored for the day. */
export class UsageMeter {
  readonly #unstored = new Map<number, Record<UsageKind, number>>()
  #stored: { readonly day: number; readonly counts: UsageCounts } | null = null
  #databaseBytes: number | null = null
  /** Start of the gap in which this isolate stores nothing. */
  #gapSince = Number.NEGATIVE_INFINITY
  #firstUnstoredAt: number | null = null
  #notability = 0

  add(at: Date, kind: UsageKind, amount: number): void {
    this.#countsOf(dayOf(at))[kind] += amount
    this.#firstUnstoredAt ??= at.getTime()
    this.#notability += amount / (notable[kind] ?? Number.POSITIVE_INFINITY)
  }

  /** Notes the size of the database, as D1 reports it with each result. */
  noteDatabaseBytes(bytes: number): void {
    this.#databaseBytes = bytes
  }

  /** Whether the counts should be stored: once in two minutes at most, and later where they are small. */
  isDue(at: Date): boolean {
    if (this.#firstUnstoredAt === null || at.getTime() - this.#gapSince < gapMilliseconds) return false
    return this.#notability >= 1 || at.getTime() - this.#firstUnstoredAt >= longestMilliseconds
  }

  /** Begins the gap with an invocation that will store the counts, so that those beside it do not store them too. */
  beginGap(at: Date): void {
    this.#gapSince = at.getTime()
  }

  /** Takes the counts out, to store them. */
  take(at: Date): readonly UsageOfDay[] {
    const databaseBytes = this.#databaseBytes
    const taken = [...this.#unstored].map(([day, counts]) => ({ day, counts, databaseBytes }))
    this.#unstored.clear()
    this.beginGap(at)
    this.#firstUnstoredAt = null
    this.#notability = 0
    return taken
  }

  /** Puts counts back that could not be stored. */
  putBack(at: Date, taken: readonly UsageOfDay[]): void {
    for (const { day, counts } of taken)
      this.#unstored.set(day, sumUsage(this.#unstored.get(day) ?? {}, counts))
    this.#firstUnstoredAt ??= at.getTime()
    this.#notability += 1
  }

  /** Remembers what all isolates have stored for a day. */
  recordStored(day: number, counts: UsageCounts): void {
    if (this.#stored === null || this.#stored.day <= day) this.#stored = { day, counts }
  }

  unstored(day: number): UsageCounts {
    return this.#unstored.get(day) ?? noUsage()
  }

  /** Counts of a day that are not stored yet, to add to. */
  #countsOf(day: number): Record<UsageKind, number> {
    const counts = this.#unstored.get(day)
    if (counts !== undefined) return counts
    const added = noUsage()
    this.#unstored.set(day, added)
    return added
  }

  /** Uses of a day, as far as this isolate knows them. */
  knownOf(day: number): UsageCounts {
    const stored = this.#stored?.day === day ? this.#stored.counts : {}
    return sumUsage(stored, this.unstored(day))
  }
}

/** Counts of what the platform bills, kept by the isolate: no call of it reaches the database. */
export interface Usage {
  add(kind: UsageKind, amount: number): void
  /** Notes the size of the database, as D1 reports it with each result. */
  noteDatabaseBytes(bytes: number): void
  /** D1 statements that this invocation may still send, without those that running work reserved. */
  statementsLeft(): number
  /** Reserves statements for work that runs next to others; the returned function ends that. */
  reserveStatements(count: number): () => void
  /** Work that is given up for the rest of the day, as far as this isolate knows what was used. */
  paused(): readonly PausableWork[]
  isPaused(work: PausableWork): boolean
  /** Uses of a day that this isolate has not stored yet. */
  unstored(day: number): UsageCounts
  /** Takes the counts out, to store them; `putBack` where that failed. */
  take(): readonly UsageOfDay[]
  putBack(taken: readonly UsageOfDay[]): void
  /** Remembers what all isolates have stored for a day. */
  recordStored(day: number, counts: UsageCounts): void
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

/**
 * Limits of one invocation on the free plan: a request with its late work, a message of the queue, a tick, a call of an
 * object. Each statement of a batch counts. Source: the platform's pages on limits of D1 and Workers, July 2026.
 */
export const invocationLimits = {
  /** Statements of D1. */
  statements: 50,
  /** Requests to other servers, each redirect counted. */
  requests: 50,
  /** Calls of objects, queues, files, pictures and mail. */
  calls: 1_000,
} as const

/** Statements that any invocation may need to store the uses it counted: one a day, and two at midnight. */
export const statementsKept = 2
