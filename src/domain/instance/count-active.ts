import { sql } from 'drizzle-orm'
import { counters } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import type { CounterName } from './counters'

/** Cron: counts the users active in the last 30 and 180 days, over the index on their last activity. */
export async function countActiveUsers(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now().getTime()
  const count = (name: CounterName, days: number) =>
    ctx.db
      .update(counters)
      .set({
        value: sql`(select count(*) from users where last_active_at > ${now - days * dayMilliseconds})`,
      })
      .where(sql`${counters.name} = ${name}`)
  await commit(ctx, new Changes().add(count('active_month', 30), count('active_halfyear', 180)))
}
