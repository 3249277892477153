import { type SQL, sql } from 'drizzle-orm'
import { roles } from '../../db/schema'
import type { RoleId } from '../../lib/ids'

/** What a role may allow, as bits that clients read too. */
export const permissions = {
  ...{ administrator: 1, manageReports: 1 << 4, manageUsers: 1 << 10 },
  ...{ inviteUsers: 1 << 16, viewFeeds: 1 << 20 },
} as const
export type Permission = keyof typeof permissions

/** The bits Mastodon has a meaning for, up to `viewFeeds`. */
const everyPermission = 2 ** 21 - 1

/** The role of people who were given none; what it permits, everybody may do. */
export const baseRole: RoleId = -99

/** What the base role permits, as a sub-select. */
export const basePermissions = sql<number>`(select base.permissions from roles base
  where base.id = ${sql.raw(String(baseRole))})`

/** The bits somebody was granted, by their role (left-joined) and by the base role. */
export const grantedPermissions = sql<number>`(coalesce(${roles.permissions}, 0) | ${basePermissions})`

/** What granted bits come to: administrators may do everything. */
export function effectivePermissions(granted: number): number {
  return (granted & permissions.administrator) === 0 ? granted : everyPermission
}

/** May a person with these permissions do this? Administrators may do everything. */
export function hasPermission(held: number, permission: Permission): boolean {
  return (held & (permissions.administrator | permissions[permission])) !== 0
}

/** The same as conditions. Does the role `r` allow it? */
export function roleAllows(permission: Permission): SQL {
  return sql.raw(`(role.permissions & ${permissions.administrator | permissions[permission]}) <> 0`)
}

/** And may the person whose account `owner` names do it, by their role? */
export function accountHasPermission(owner: SQL, permission: Permission): SQL {
  return sql`exists (select 1 from users trusted cross join roles role
    where trusted.account_id = ${owner} and role.id = trusted.role_id and ${roleAllows(permission)})`
}
