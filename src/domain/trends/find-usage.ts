import { type SQL, sql } from 'drizzle-orm'
import { jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import type { DayOfUse } from '../../db/schema/discovery'
import { dayMilliseconds } from '../../lib/days'
import { firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { CountedDay, DayToCount, StoredUsage } from './usage'

/** Storage and queries of a kind's usage. */
export interface UsageSource {
  readonly table: 'trending_tags' | 'trending_links'
  readonly key: 'tag_id' | 'card_id'
  /** A column of this table alone, filled for `item.value ->> 'id'`. */
  readonly own?: { readonly column: 'language'; readonly value: SQL }
  /** Ids used by many accounts recently, as a selection. */
  candidates(now: Date): SQL
  /** Uses of `item.value ->> 'id'` between two status ids, as a selection (account_id). */
  uses(from: SQL, to: SQL): SQL
}

/** Maximum of uses counted in a day: more would cost reads and change nothing. */
const maxUses = 200

/** The stored usage, best first. One statement. */
export function findStoredUsage(ctx: Ctx, { table, key }: UsageSource): Query<StoredUsage[]> {
  const found = rows(
    ctx.db
      .select({
        id: sql<number>`kept.id`.as('id'),
        rank: sql<number>`kept.rank`.as('rank'),
        peak: sql<number>`kept.peak`.as('peak'),
        peakAt: sql<number>`kept.peak_at`.as('peak_at'),
        day: sql<number>`kept.day`.as('day'),
        history: sql<string>`kept.history`.as('history'),
      })
      .from(
        sql`(select ${sql.raw(key)} as id, rank, peak, peak_at, day, history from ${sql.raw(table)}) kept`,
      )
      .orderBy(sql`kept.rank desc`),
  )
  return map(found, (list) =>
    list.map(({ peakAt, history, ...row }) => {
      const days: readonly DayOfUse[] = JSON.parse(history)
      return { ...row, peakAt: new Date(peakAt), history: days }
    }),
  )
}

/** Candidates for new trends. One statement. */
export function usageCandidates(ctx: Ctx, source: UsageSource, now: Date): Query<{ readonly id: number }[]> {
  return rows(
    ctx.db
      .select({ id: sql<number>`candidate.id`.as('id') })
      .from(sql`(${source.candidates(now)}) as candidate`),
  )
}

/** Number of uses and of accounts for each id on its day. One statement; three rows are read for each use. */
export function countedDays(
  ctx: Ctx,
  source: UsageSource,
  wanted: readonly DayToCount[],
): Query<CountedDay[]> {
  const start = (day: number) => firstIdAt(new Date(day * dayMilliseconds))
  const idRanges = wanted.map(({ id, day }) => ({ id, day, from: start(day), to: start(day + 1) }))
  const uses = source.uses(sql`item.value ->> 'from'`, sql`item.value ->> 'to'`)
  const found = rows(
    ctx.db
      .select({
        id: sql<number>`item.value ->> 'id'`.as('id'),
        day: sql<number>`item.value ->> 'day'`.as('day'),
        use: sql<string>`(select json_array(count(*), count(distinct account_id))
          from (${uses} ${limitTo(maxUses)}))`.as('use'),
      })
      .from(jsonRows(idRanges)),
  )
  return map(found, (list) =>
    list.map(({ use, ...day }) => {
      const counted: DayOfUse = JSON.parse(use)
      return { ...day, use: counted }
    }),
  )
}
