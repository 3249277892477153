import type { PausableWork, UsageCounts, UsageKind } from '../contract/usage'

/** Uses of a day, as they are stored. */
export interface UsageOfDay {
  readonly day: number
  readonly counts: UsageCounts
  /** Size of the database after the last statement; null where none was run. */
  readonly databaseBytes: number | null
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
  /** Remembers the plan that an administrator chose; null where the variable counts. */
  notePlan(plan: 'free' | 'paid' | null): void
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
