import { type SQL, sql } from 'drizzle-orm'
import { dayMilliseconds, dayOf } from '../../lib/days'

/** Uses of something on one day, and the number of accounts that used it. */
export interface DailyUsage {
  /** Midnight, UTC. */
  readonly day: Date
  readonly accounts: number
  readonly uses: number
}

/** Length of a usage history, in days. */
export const daysOfUse = 7

/** Start of each of the last seven days, today first. */
export function weekUntil(now: Date): readonly Date[] {
  const midnight = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds
  return Array.from({ length: daysOfUse }, (_, ago) => new Date(midnight - ago * dayMilliseconds))
}

/** The stored usage of a trend, as a JSON column for `parseUsage`. */
export function storedUsageCell(
  table: 'trending_tags' | 'trending_links',
  key: 'tag_id' | 'card_id',
  id: SQL,
): SQL<string> {
  return sql<string>`(select json_array(kept.day, json(kept.history)) from ${sql.raw(table)} kept
    where kept.${sql.raw(key)} = ${id})`
}

/** Parses `[day, [[uses, accounts], …]]`, counted on that day, which may be before today. */
export function parseUsage(cell: string | null, week: readonly Date[]): DailyUsage[] {
  const stored: unknown = cell === null ? null : JSON.parse(cell)
  const [counted, history] = Array.isArray(stored) ? stored : [0, []]
  const today = dayOf(week[0] ?? new Date(0))
  return usesIn(history, week, today - Number(counted))
}

/** Maps the list to the week; `late` days of the week are newer than its first entry. */
function usesIn(list: unknown, week: readonly Date[], late: number): DailyUsage[] {
  if (!Array.isArray(list)) throw new Error('Stored usage is not a list')
  return week.map((day, ago) => {
    const entry: unknown = list[ago - late]
    const [uses = 0, accounts = 0] = Array.isArray(entry) ? entry.map(Number) : []
    return { day, uses, accounts }
  })
}
