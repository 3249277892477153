import { eq, sql } from 'drizzle-orm'
import { users } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/**
 * Statements for the end of every batch that changes an account's filters: mark compiled copies as outdated.
 * Publishes `filters.changed`.
 */
export function bumpFiltersVersion(ctx: Ctx, changes: Changes, owner: AccountId): Changes {
  const version = sql`case when exists (select 1 from filters where account_id = ${owner}) then ${ctx.ids.next()} end`
  return changes
    .add(ctx.db.update(users).set({ filtersVersion: version }).where(eq(users.accountId, owner)))
    .publish({ kind: 'filters.changed', accountId: owner })
}
