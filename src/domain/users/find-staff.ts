import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { type Permission, roleAllows } from '../policy/permissions'

/** Where `roles role cross join users u` are selected: does the role of `u` let them do this, and may they sign in? */
export function hasStaffPermission(permission: Permission): SQL {
  return sql`u.role_id = role.id and u.role_id is not null and ${roleAllows(permission)} and u.disabled_at is null`
}

/** Those whose role lets them do this, as far as they may be here. One statement. */
export function staffWithPermission(ctx: Ctx, permission: Permission): Query<readonly AccountId[]> {
  const found = ctx.db
    .select({ id: sql<AccountId>`u.account_id`.as('id') })
    .from(sql`roles role cross join users u`)
    .where(hasStaffPermission(permission))
  return map(rows(found), (all) => all.map(({ id }) => id))
}
