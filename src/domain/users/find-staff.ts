import { type SQL, sql } from 'drizzle-orm'
import type { MailKind } from '../../contract/notification-kinds'
import { map, type Query, rows } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Permission, roleAllows } from '../policy/permissions'

/**
 * Condition where `roles role cross join users u` are selected: the role of `u` has the permission, and `u` is not
 * disabled.
 */
export function hasStaffPermission(permission: Permission): SQL {
  return sql`u.role_id = role.id and u.role_id is not null and ${roleAllows(permission)} and u.disabled_at is null`
}

/** Staff with the permission who chose to be mailed about notifications of this kind. One statement. */
export function staffWhoChose(ctx: Ctx, permission: Permission, kind: MailKind): Query<readonly AccountId[]> {
  const found = ctx.db
    .select({ id: sql<AccountId>`u.account_id`.as('id') })
    .from(sql`roles role cross join users u`)
    .where(sql`${hasStaffPermission(permission)} and u.settings ->> ${`$.mail."${kind}"`} = 1`)
  return map(rows(found), (all) => all.map(({ id }) => id))
}

/** Users whose role has the permission and who are not disabled. One statement. */
export function staffWithPermission(ctx: Ctx, permission: Permission): Query<readonly AccountId[]> {
  const found = ctx.db
    .select({ id: sql<AccountId>`u.account_id`.as('id') })
    .from(sql`roles role cross join users u`)
    .where(hasStaffPermission(permission))
  return map(rows(found), (all) => all.map(({ id }) => id))
}
