/** Reports are offered from the tenth of December to the end of the year they are about (docs methods/annual_reports). */
export function isSeason(year: number, now: Date): boolean {
  return now.getUTCFullYear() === year && now.getUTCMonth() === 11 && now.getUTCDate() >= 10
}

/** How many statuses of a year make it worth telling of. */
export const minStatuses = 10

/** A request that nobody carried out in this time is lost, and may be made again. */
export const generationTimeoutMilliseconds = 3_600_000

export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

export interface StateFacts {
  readonly generated: boolean
  readonly requestedAt: Date | null
  /** Counted as far as it takes. */
  readonly statuses: number
}

/** What there is to do about the report of a year. Pure. */
export function stateOf(year: number, facts: StateFacts, now: Date): ReportState {
  if (facts.generated) return 'available'
  const since = facts.requestedAt === null ? null : now.getTime() - facts.requestedAt.getTime()
  if (since !== null && since < generationTimeoutMilliseconds) return 'generating'
  return isSeason(year, now) && facts.statuses >= minStatuses ? 'eligible' : 'ineligible'
}
