/** Reports are offered from the tenth of December to the end of the year they are about (docs methods/annual_reports). */
export function isSeason(year: number, now: Date): boolean {
  return now.getUTCFullYear() === year && now.getUTCMonth() === 11 && now.getUTCDate() >= 10
}

/** Statuses in a year below which no report is offered. */
export const minStatuses = 10

/** A request unfinished after this time is lost, and may be made again. */
export const generationTimeoutMilliseconds = 3_600_000

export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

export interface StateFacts {
  readonly generated: boolean
  readonly requestedAt: Date | null
  /** Counted up to the required minimum. */
  readonly statuses: number
}

/** The state of a year's report. Pure. */
export function stateOf(year: number, facts: StateFacts, now: Date): ReportState {
  if (facts.generated) return 'available'
  const since = facts.requestedAt === null ? null : now.getTime() - facts.requestedAt.getTime()
  if (since !== null && since < generationTimeoutMilliseconds) return 'generating'
  return isSeason(year, now) && facts.statuses >= minStatuses ? 'eligible' : 'ineligible'
}
