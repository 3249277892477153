import type { PausableWork } from './degradation'
import type { UsageCounts, UsageKind } from './kinds'
import type { UsageOfDay } from './meter'

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
