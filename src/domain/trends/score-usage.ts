import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import type { DayOfUse } from '../../db/schema/discovery'
import { jsonRows } from '../../db/sql'
import { dayMilliseconds, dayOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { maxTrends } from './find-tags'
import { countedDays, findStoredUsage, type UsageSource, usageCandidates } from './find-usage'
import { lowestRank } from './rank'
import { daysToCount, historyOf, rankUsage, type StoredUsage, type UsageRule } from './usage'

/** Maximum of current trends that are counted again. */
const recounted = 60
const forgottenMilliseconds = 2 * dayMilliseconds

/**
 * Recounts current trends and candidates, and stores the result: three round trips. Unchanged rows are not written.
 */
export async function scoreUsage(ctx: Ctx, source: UsageSource, { kind, least }: UsageRule): Promise<void> {
  const now = ctx.clock.now()
  const today = dayOf(now)
  const { kept, candidates } = await execute(
    ctx.db,
    combineQueries({ kept: findStoredUsage(ctx, source), candidates: usageCandidates(ctx, source, now) }),
  )
  const storedById = new Map(kept.map((usage) => [usage.id, usage]))
  const alive = kept.filter(({ rank }) => rank >= lowestRank(kind, now)).slice(0, recounted)
  const ids = [...new Set([...candidates, ...alive].map(({ id }) => id))]
  const wanted = ids.flatMap((id) => daysToCount(id, storedById.get(id) ?? null, today))
  const counted = await execute(ctx.db, countedDays(ctx, source, wanted))
  const judged = ids.flatMap((id) => {
    const before = storedById.get(id) ?? null
    const days = new Map<number, DayOfUse>(
      counted.filter((entry) => entry.id === id).map(({ day, use }) => [day, use]),
    )
    const after = rankUsage(
      { kind, least },
      { id, history: historyOf(before, days, today), kept: before },
      now,
    )
    return after === null || isSame(before, after) ? [] : [after]
  })
  await commit(ctx, storeUsage(ctx, source, judged, now))
}

function isSame(before: StoredUsage | null, after: StoredUsage): boolean {
  if (before === null || before.rank !== after.rank || before.day !== after.day) return false
  return JSON.stringify(before.history) === JSON.stringify(after.history)
}

function storeUsage(ctx: Ctx, source: UsageSource, judged: readonly StoredUsage[], now: Date): Changes {
  const [trending, id] = [sql.raw(source.table), sql.raw(source.key)]
  const changes = new Changes()
  if (judged.length > 0) changes.add(ctx.db.run(upsertUsage(source, judged)))
  return changes.add(
    ctx.db.run(sql`delete from ${trending} where peak_at < ${now.getTime() - forgottenMilliseconds}
      or ${id} in (select ${id} from ${trending} order by rank desc limit -1 offset ${maxTrends})`),
  )
}

function upsertUsage({ table, key, own }: UsageSource, judged: readonly StoredUsage[]): SQL {
  const list = judged.map(({ peakAt, ...usage }) => ({ ...usage, peakAt: peakAt.getTime() }))
  const columns = ['rank', 'peak', 'peak_at', 'day', 'history', ...(own === undefined ? [] : [own.column])]
  const updates = columns.map((column) => `${column} = excluded.${column}`)
  return sql`insert into ${sql.raw(table)} (${sql.raw(key)}, ${sql.raw(columns.join(', '))})
    select item.value ->> 'id', item.value ->> 'rank', item.value ->> 'peak', item.value ->> 'peakAt',
      item.value ->> 'day', item.value -> 'history'${own === undefined ? sql`` : sql`, ${own.value}`}
    from ${jsonRows(list)} where true
    on conflict (${sql.raw(key)}) do update set ${sql.raw(updates.join(', '))}`
}
