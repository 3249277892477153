import { type SQL, sql } from 'drizzle-orm'
import { countedBefore, first, limitTo, oneRow, type Query } from '../../db/query'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

// Selections for `count-servers.ts`: they give numbers of statuses by server and author, and nothing of what these say.

/** Statuses counted in one run: six rows read for each. */
const statusesPerRun = 5_000
/** Age of statuses that are waited for: those between two runs that follow each other come with the next. */
const waitedForMilliseconds = 30 * 60_000

/** Condition: statuses from before the last half hour are not counted yet. */
export const isServerCountDue = ({
  clock,
}: Ctx) => sql`exists (select 1 from statuses where id >= ${countedBefore}
  and id < ${firstIdAt(new Date(clock.now().getTime() - waitedForMilliseconds))})`

export interface UncountedPart {
  readonly from: number
  /** The first status; null if missing. */
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

/** Statuses of remote authors from one id up to another, as rows (id, number, latest). Direct ones are not counted. */
export function statusesByAuthor({ from, end }: { readonly from: number; readonly end: number }): SQL {
  return sql`select s.account_id as id, count(*) as number, max(s.created_at) as latest from statuses s
    where s.id >= ${from} and s.id < ${end} and s.local = 0 and s.visibility <> 'direct' group by 1`
}

/** Statuses of one account that are looked at; more are counted twice, once in what its server reports. */
const mostOfOne = 400

/** Number of statuses of an account that wait to be counted, as an expression. */
export function waitingOf(account: AccountId): SQL {
  return sql`(select count(*) from (select 1 from statuses s where s.account_id = ${account}
    and s.id >= ${countedBefore} and s.visibility <> 'direct' ${limitTo(mostOfOne)}))`
}
