import { sql } from 'drizzle-orm'
import { counters } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/**
 * Statement that adds a user to those the instance shows, or takes one away. Nothing happens for a user who waits for approval:
 * they are counted once they have it. To be run while `users` has the row.
 */
export function countUser(ctx: Ctx, accountId: AccountId, by: 1 | -1) {
  return ctx.db
    .update(counters)
    .set({ value: sql`max(0, value + ${by})` })
    .where(
      sql`name = 'users' and exists (select 1 from users where account_id = ${accountId} and approved = 1)`,
    )
}
