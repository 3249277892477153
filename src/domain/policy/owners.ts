import { type SQL, sql } from 'drizzle-orm'
import type { AccountId, RoleId } from '../../lib/ids'

/** Role of the owners of the server. */
export const ownerRole: RoleId = 3

/**
 * Condition: without the account `id` an owner who can sign in remains; also true where the account has another role.
 * Commands that disable, demote or delete accounts require it in their batch, so that of two owners who remove each
 * other at the same time one remains.
 */
export function leavesAnOwner(id: AccountId): SQL {
  const owner = sql.raw(String(ownerRole))
  return sql`(not exists (select 1 from users removed where removed.account_id = ${id} and removed.role_id = ${owner})
    or exists (select 1 from users u cross join accounts a on a.id = u.account_id
      where u.role_id = ${owner} and u.account_id <> ${id} and u.disabled_at is null
        and u.confirmed_at is not null and u.approved = 1 and a.suspended_at is null))`
}
