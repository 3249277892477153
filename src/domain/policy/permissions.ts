import { type SQL, sql } from 'drizzle-orm'
import { roles } from '../../db/schema'
import { Forbidden } from '../../errors'
import type { AccountId, RoleId } from '../../lib/ids'
import type { Changes } from '../core/changes'
import type { Moderator } from '../core/viewer'

/** Permissions of roles, as the bits that clients read; source: Mastodon's `UserRole::FLAGS`. */
export const permissions = {
  administrator: 1,
  viewDevops: 1 << 1,
  viewAuditLog: 1 << 2,
  viewDashboard: 1 << 3,
  manageReports: 1 << 4,
  manageFederation: 1 << 5,
  manageSettings: 1 << 6,
  manageBlocks: 1 << 7,
  manageTaxonomies: 1 << 8,
  manageAppeals: 1 << 9,
  manageUsers: 1 << 10,
  manageInvites: 1 << 11,
  manageRules: 1 << 12,
  manageAnnouncements: 1 << 13,
  manageCustomEmojis: 1 << 14,
  manageWebhooks: 1 << 15,
  inviteUsers: 1 << 16,
  manageRoles: 1 << 17,
  manageUserAccess: 1 << 18,
  deleteUserData: 1 << 19,
  viewFeeds: 1 << 20,
} as const
export type Permission = keyof typeof permissions

/** Bits by Mastodon's names: `manage_users` for `manageUsers`. */
export const permissionBits: ReadonlyMap<string, number> = new Map(
  Object.entries(permissions).map(([name, bit]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    bit,
  ]),
)

/** Bits defined by Mastodon, all set. */
export const everyPermission = 2 ** 21 - 1

/** Role of users without another one; every user has its permissions. */
export const baseRole: RoleId = -99

/** Permissions of the base role, as a sub-select. */
export const basePermissions = sql<number>`(select base.permissions from roles base
  where base.id = ${sql.raw(String(baseRole))})`

/** Bits granted by the user's role (left-joined) and by the base role. */
export const grantedPermissions = sql<number>`(coalesce(${roles.permissions}, 0) | ${basePermissions})`

/** Effective permissions of granted bits: administrators have all. */
export function effectivePermissions(granted: number): number {
  return (granted & permissions.administrator) === 0 ? granted : everyPermission
}

/** Whether these permissions include `permission`. Administrators have all. */
export function hasPermission(held: number, permission: Permission): boolean {
  return (held & (permissions.administrator | permissions[permission])) !== 0
}

/** Condition: the role `role` has the permission. */
export function roleAllows(permission: Permission): SQL {
  return sql.raw(`(role.permissions & ${permissions.administrator | permissions[permission]}) <> 0`)
}

/** Condition: the user of the account `owner` has the permission by their role. */
export function accountHasPermission(owner: SQL, permission: Permission): SQL {
  return sql`exists (select 1 from users trusted cross join roles role
    where trusted.account_id = ${owner} and role.id = trusted.role_id and ${roleAllows(permission)})`
}

/** The operator: access to scripts on the server grants everything. */
export const operator: Moderator = {
  accountId: null,
  username: '',
  permissions: everyPermission,
  position: null,
  ip: null,
}

/** Position of accounts without a role, remote ones included. */
export const lowestPosition = -1

/** Position of the role of the account `id`, an SQL expression; `lowestPosition` without a role. */
export function rolePosition(id: SQL): SQL<number> {
  return sql<number>`coalesce((select r.position from users u cross join roles r
    where u.account_id = ${id} and r.id = u.role_id), ${sql.raw(String(lowestPosition))})`
}

/** Whether the moderator's role stands above `position`. */
export function outranks({ position }: Pick<Moderator, 'position'>, other: number): boolean {
  return position === null || position > other
}

/** Refuses (`Forbidden`) a moderator without the permission. */
export function requirePermission(moderator: Moderator, permission: Permission): void {
  if (!hasPermission(moderator.permissions, permission)) throw new Forbidden()
}

/**
 * Requires in the batch that the account's role is below the moderator's: no moderator acts on an equal or higher role, own
 * account included. Fails with `Forbidden`.
 */
export function requireRankAbove(changes: Changes, moderator: Moderator, accountId: AccountId): Changes {
  if (moderator.position === null) return changes
  return changes.require(sql`${rolePosition(sql`${accountId}`)} < ${moderator.position}`, new Forbidden())
}
