import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first, jsonRows, limitTo, map, oneRow, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { dayOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Servers looked at in one run: some four rows read for each, and some more for each row deleted. */
const serversPerRun = 100
const removedPerRun = 1_000
/** Days of activity that stay; blocks are made of the latest five. */
const keptActiveDays = 8
const removedActiveDays = 200

const placeKey = 'task.prune-days'

/** Position of a round: the last server done, empty at its end, and the latest day with news when the round began. */
const PruneProgress = z.object({ domain: z.string(), latest: z.number() })

const latestDay = sql<number>`(select coalesce(max(day), 0) from domain_days)`

/** Condition: a round through the servers is under way, or a day with news began since the last one. */
export const isDayPruneDue = () => sql`not exists (select 1 from settings
  where key = ${placeKey} and value ->> 'domain' = '' and value ->> 'latest' >= ${latestDay})`

/**
 * Cron: deletes rows of single days that lie in blocks by now (migration 0040): of a server all but the latest, which
 * holds its totals, and those from yesterday on, which are still counted; of activity all but the latest few. Servers
 * are gone through in order, some in a run.
 */
export async function pruneDays(ctx: Ctx): Promise<void> {
  const { domains, stored, latest } = await execute(
    ctx.db,
    combineQueries({
      domains: nextDomains(ctx),
      stored: first(
        ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, placeKey)),
      ),
      latest: map(first(ctx.db.select({ day: latestDay.as('day') }).from(oneRow)), (row) => row?.day ?? 0),
    }),
  )
  const progress = PruneProgress.safeParse(stored?.value)
  const isUnderWay = progress.success && progress.data.domain !== ''
  const value = {
    domain: domains.length < serversPerRun ? '' : (domains.at(-1) ?? ''),
    latest: isUnderWay ? progress.data.latest : latest,
  }
  const yesterday = dayOf(ctx.clock.now()) - 1
  const latestOf = sql`(select max(l.day) from domain_days l where l.domain = item.value)`
  const [removed = 0] = await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`delete from domain_days where (domain, day) in (
        select d.domain, d.day from ${jsonRows(domains)} cross join domain_days d
        where d.domain = item.value and d.day < min(${yesterday}, ${latestOf}) ${limitTo(removedPerRun)})`),
      ctx.db.run(sql`delete from active_days where day in (
        select day from active_days where day < (select day from active_days
          order by day desc limit 1 offset ${sql.raw(String(keptActiveDays - 1))})
        order by day ${limitTo(removedActiveDays)})`),
    ),
  )
  // With more to delete, the next run begins at the same servers.
  if (removed >= removedPerRun) return
  const save = ctx.db
    .insert(settings)
    .values({ key: placeKey, value, updatedAt: ctx.clock.now() })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
  await commit(ctx, new Changes().add(save))
}

/** The next servers: each step jumps to the next one in the index, so one row is read for each. */
function nextDomains(ctx: Ctx) {
  const place = sql`coalesce((select value ->> 'domain' from settings where key = ${placeKey}), '')`
  const servers = sql`(
    with recursive server(name) as (select min(domain) from domain_days where domain > ${place}
      union all
      select (select min(domain) from domain_days where domain > server.name) from server
      where server.name is not null ${limitTo(serversPerRun)})
    select name from server where name is not null) as servers`
  return map(rows(ctx.db.select({ name: sql<string>`servers.name`.as('name') }).from(servers)), (found) =>
    found.map(({ name }) => name),
  )
}
