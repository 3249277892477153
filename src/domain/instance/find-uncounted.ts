import { type SQL, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { oneRow } from '../../db/sql'
import { firstIdAt } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'

// Selections for `count-servers.ts`: they give numbers of statuses by server, and nothing of what these say.

/** Statuses counted in one run: three rows read for each. */
const statusesPerRun = 5_000
/** Age of statuses that are waited for: those between two runs that follow each other come with the next. */
const waitedForMilliseconds = 30 * 60_000

/** The first id that no count of a server includes. */
export const countedBefore = sql`(select counted_before from status_counting where id = 1)`

/** Condition: statuses from before the last half hour are not counted yet. */
export const isServerCountDue = ({
  clock,
}: Ctx) => sql`exists (select 1 from statuses where id >= ${countedBefore}
  and id < ${firstIdAt(new Date(clock.now().getTime() - waitedForMilliseconds))})`

export interface UncountedPart {
  readonly from: number
  /** The first status; null where there is none. */
  readonly first: number | null
  /** The first status that is too many for one run. */
  readonly next: number | null
}

export function findUncounted(ctx: Ctx): Query<UncountedPart | null> {
  return first(
    ctx.db
      .select({
        from: sql<number>`${countedBefore}`.as('from'),
        first: sql<number | null>`(select min(id) from statuses where id >= ${countedBefore})`.as('first'),
        next: sql<number | null>`(select id from statuses where id >= ${countedBefore}
          order by id limit 1 offset ${sql.raw(String(statusesPerRun))})`.as('next'),
      })
      .from(oneRow),
  )
}

/** Remote statuses from one id up to another, as rows (domain, day, language, number). */
export function statusesByServer({ from, end }: { readonly from: number; readonly end: number }): SQL {
  return sql`select a.domain, (s.id / 4096 + 1167609600000) / 86400000,
      case when s.reblog_of_id is null then coalesce(s.language, 'und') end, count(*)
    from statuses s cross join accounts a on a.id = s.account_id
    where s.id >= ${from} and s.id < ${end} and s.local = 0 and a.domain is not null group by 1, 2, 3`
}
