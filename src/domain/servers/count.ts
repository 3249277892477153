import { eq, sql } from 'drizzle-orm'
import { countedBefore, execute, limitTo } from '../../db/query'
import { activeDays, statusCounting } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { sketchRegisters } from '../../lib/distinct-sketch'
import { firstIdAt, instantOf } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { findUncounted, statusesByAuthor, statusesByServer } from './find-uncounted'

/** Servers kept of a day. */
const maxServers = 100
/** Another run counted the same statuses. */
class CountedMeanwhile extends Conflict {
  override readonly name = 'CountedMeanwhile'
}

/**
 * Cron: counts the next statuses of one day for their servers (`domain_days`) and their authors: a row written for each. Then it
 * notes the servers that most statuses came from, today and the day before, so that no page reads them for a whole month.
 */
export async function countServers(ctx: Ctx): Promise<void> {
  const part = await execute(ctx.db, findUncounted(ctx))
  const today = dayOf(ctx.clock.now())
  const changes = new Changes()
  if (part !== null) {
    // Of this millisecond as well: later ones of it are counted as they come.
    const now = firstIdAt(new Date(ctx.clock.now().getTime() + 1))
    const end = Math.min(part.next ?? now, part.first === null ? now : endOfDay(part.first), now)
    if (end > part.from) countStatuses(ctx, changes, { from: part.from, end })
  }
  changes.add(noteServers(ctx, today - 1), noteServers(ctx, today))
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (!(failure instanceof CountedMeanwhile)) throw failure
  }
}

/** The first id of the day after that of `id`. */
function endOfDay(id: number): number {
  return firstIdAt(new Date((dayOf(instantOf(id)) + 1) * dayMilliseconds))
}

/** Adds the statuses of a part of a day to the counts of their servers and authors. */
function countStatuses(
  ctx: Ctx,
  changes: Changes,
  { from, end }: { readonly from: number; readonly end: number },
): void {
  changes.require(sql`${countedBefore} = ${from}`, new CountedMeanwhile('counted_meanwhile')).add(
    ctx.db.run(sql`with counted(domain, day, language, number) as (
          ${statusesByServer({ from, end })}),
        fresh(domain, day, statuses, languages) as (select domain, day, sum(number),
          json_group_object(language, number) filter (where language is not null) from counted group by 1, 2)
        insert into domain_days (domain, day, accounts, statuses, reports, follows, followers,
          all_accounts, all_statuses, all_reports, all_follows, all_followers, languages)
        select fresh.domain, max(fresh.day, coalesce(last.day, 0)), 0, fresh.statuses, 0, 0, 0,
          coalesce(last.all_accounts, 0), coalesce(last.all_statuses, 0) + fresh.statuses, coalesce(last.all_reports, 0),
          coalesce(last.all_follows, 0), coalesce(last.all_followers, 0), fresh.languages
        from fresh left join domain_days last on last.domain = fresh.domain
          and last.day = (select max(day) from domain_days where domain = fresh.domain)
        where true
        on conflict (domain, day) do update set statuses = statuses + excluded.statuses,
          all_statuses = excluded.all_statuses, languages = (select json_group_object(key, number) from (
            select key, sum(value) as number from (select key, value from json_each(domain_days.languages)
              union all select key, value from json_each(excluded.languages)) group by key))`),
    ctx.db.run(sql`update accounts set statuses_count = statuses_count + fresh.number,
          last_status_at = max(coalesce(last_status_at, 0), fresh.latest)
        from (${statusesByAuthor({ from, end })}) fresh where accounts.id = fresh.id`),
    ctx.db.update(statusCounting).set({ countedBefore: end }).where(eq(statusCounting.id, 1)),
  )
}

function noteServers(ctx: Ctx, day: number) {
  const empty = sql.raw(`hex(zeroblob(${sketchRegisters / 2}))`)
  return ctx.db.run(sql`insert into ${activeDays} (day, sketch, servers)
    select ${day}, ${empty}, servers from (
      select json_group_object(domain, statuses) as servers from (
        select domain, statuses from domain_days where day = ${day} and statuses > 0
        order by statuses desc ${limitTo(maxServers)})) where servers <> '{}'
    on conflict (day) do update set servers = excluded.servers where servers <> excluded.servers`)
}
