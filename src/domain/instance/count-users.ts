import { sql } from 'drizzle-orm'
import { counters } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Changes the number of users that the instance shows: those who wait for approval or are suspended do not count. */
export function countUsers(ctx: Ctx, by: 1 | -1) {
  return ctx.db
    .update(counters)
    .set({ value: sql`max(0, value + ${by})` })
    .where(sql`name = 'users'`)
}

/** Counts a user no more who leaves; nothing where they wait for approval. To be run before their row is deleted. */
export function discountUser(ctx: Ctx, accountId: AccountId) {
  return ctx.db
    .update(counters)
    .set({ value: sql`max(0, value - 1)` })
    .where(
      sql`name = 'users' and exists (select 1 from users where account_id = ${accountId} and approved = 1)`,
    )
}
