import { sql } from 'drizzle-orm'
import { instances } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../platform/ports'

/** Records that a server contacted this one: written at most once a day. */
export async function touchInstance(ctx: Ctx, domain: string): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db
    .update(instances)
    .set({ lastSeenAt: now })
    .where(sql`domain = ${domain} and coalesce(last_seen_at, 0) <= ${now.getTime() - dayMilliseconds}`)
}
