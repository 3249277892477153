import { noUsage, sumUsage, type UsageCounts, type UsageKind } from '../contract/usage'
import { dayOf } from '../lib/days'
import type { UsageOfDay } from '../ports/usage'

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
  /** Plan that an administrator chose, as far as this isolate knows; null where the variable counts. */
  plan: 'free' | 'paid' | null = null
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
