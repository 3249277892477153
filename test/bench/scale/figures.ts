/** Costs of one measured case, with everything that followed from it. Imports nothing, so that Node reads it as it is. */
export interface Figures {
  readonly trips: number
  readonly statements: number
  readonly rowsRead: number
  readonly rowsWritten: number
  /** Calls of Durable Objects: couriers, connections and topics. */
  readonly objectCalls: number
  /** Jobs sent to the queue. */
  readonly queued: number
  /** Bytes of responses, or of what was handed to objects and the queue. */
  readonly bytes: number
  /** Rows read and written by the costliest batch, and bytes of the longest message. */
  readonly largestBatch: number
  readonly largestMessage: number
}

export const figureNames = [
  'trips',
  'statements',
  'rowsRead',
  'rowsWritten',
  'objectCalls',
  'queued',
  'bytes',
  'largestBatch',
  'largestMessage',
] as const satisfies readonly (keyof Figures)[]
export type FigureName = (typeof figureNames)[number]

/** A statement and what it cost where it cost most. */
export interface StatementCosts {
  readonly text: string
  readonly rows: number
  /** Steps of the query plan, as SQLite words them. */
  readonly plan: readonly string[]
}

/** A statement or batch that took long, waiting for its turn included. */
export interface SlowTrip {
  readonly milliseconds: number
  /** Statement of it that cost most rows. */
  readonly text: string
}

export interface CaseReport {
  readonly figures: Figures
  readonly slowest: SlowTrip
  /** The request that read most rows, of a case that is several. */
  readonly worst: string
  /** Dearest statements of it, with more than some rows. */
  readonly costliest: readonly StatementCosts[]
  /** Requests that failed where they should not. */
  readonly failures: readonly string[]
}

/** Every different statement of a whole run, with its plan. */
export type StatementReport = readonly StatementCosts[]
