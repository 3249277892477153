import { sql } from 'drizzle-orm'
import { activeDays } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { dayOf } from '../../lib/days'
import { sketchRegisters } from '../../lib/distinct-sketch'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

/** Servers kept of a day. */
const maxServers = 100

/**
 * Cron: notes the servers that most statuses came from, today and the day before. Two rows are read for each server
 * with news, so that no page reads them for a whole month.
 */
export async function countServers(ctx: Ctx): Promise<void> {
  const today = dayOf(ctx.clock.now())
  const empty = sql.raw(`hex(zeroblob(${sketchRegisters / 2}))`)
  const count = (day: number) =>
    ctx.db.run(sql`insert into ${activeDays} (day, sketch, servers)
      select ${day}, ${empty}, servers from (
        select json_group_object(domain, statuses) as servers from (
          select domain, statuses from domain_days where day = ${day} and statuses > 0
          order by statuses desc ${limitTo(maxServers)})) where servers <> '{}'
      on conflict (day) do update set servers = excluded.servers where servers <> excluded.servers`)
  await commit(ctx, new Changes().add(count(today - 1), count(today)))
}
