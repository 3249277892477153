import { type SQL, sql } from 'drizzle-orm'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Changes } from '../core/changes'
import type { Moderator } from '../core/moderator'
import { everyPermission, hasPermission, type Permission } from './permissions'

/** The operator: whoever may run scripts on the server may do everything. */
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
