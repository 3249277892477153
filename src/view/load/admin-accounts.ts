import { eq, sql } from 'drizzle-orm'
import { optionalJsonRow } from '../../db/json-row'
import { map, type Query, rows } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import { type Selection, withEnd } from '../../db/selection'
import { limitTo } from '../../db/sql'
import { isVisibleAccount } from '../../domain/policy/account-visibility'
import { basePermissions, baseRole } from '../../domain/policy/permissions'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import {
  type AccountFacts,
  type AccountRoleFacts,
  accountCell,
  moved,
  movedCell,
  movedRoleCell,
  movedRoles,
  movedUsers,
} from './accounts'

const userParts = {
  id: users.accountId,
  email: users.email,
  locale: users.locale,
  signUpReason: users.signUpReason,
  signUpIp: users.signUpIp,
  confirmedAt: users.confirmedAt,
  approved: users.approved,
  disabledAt: users.disabledAt,
  createdByApplicationId: users.createdByApplicationId,
  createdAt: users.createdAt,
}
const userCell = optionalJsonRow(userParts)

const { id, name, color, permissions, highlighted, collectionLimit } = roles
const fullRoleCell = optionalJsonRow({ id, name, color, permissions, highlighted, collectionLimit })

/** Sessions of an account whose addresses are shown. */
const newestSessions = 20

/** Addresses of the newest sessions as JSON of `{ ip, usedAt }`, the last used first. */
const ipsColumn = sql<
  readonly AccountIp[]
>`(select json_group_array(json_object('ip', ip, 'usedAt', used_at)) from (
  select ip, max(last_seen_at) as used_at from (select ip, last_seen_at from sessions
    where account_id = ${users.accountId} and ip is not null order by id desc ${limitTo(newestSessions)})
  group by ip order by used_at desc))`.mapWith(decodeIps)

/** An address that an account used. */
export interface AccountIp {
  readonly ip: string
  readonly usedAt: Date
}

function decodeIps(cell: string): readonly AccountIp[] {
  const stored: { ip: string; usedAt: number }[] = JSON.parse(cell)
  return stored.map(({ ip, usedAt }) => ({ ip, usedAt: new Date(usedAt) }))
}

/** The private part of a local account, for moderators. */
export interface AdminUserFacts
  extends Pick<typeof users.$inferSelect, Exclude<keyof typeof userParts, 'id'>> {
  readonly ips: readonly AccountIp[]
  readonly role: Pick<
    typeof roles.$inferSelect,
    'id' | 'name' | 'color' | 'permissions' | 'highlighted' | 'collectionLimit'
  >
  readonly invitedBy: AccountId | null
}

/** An account as moderators see it. */
export interface AdminAccountFacts {
  readonly account: AccountFacts
  readonly moved: { readonly account: AccountFacts; readonly role: AccountRoleFacts | null } | null
  /** Null for remote accounts. */
  readonly user: AdminUserFacts | null
}

/** Accounts as moderators see them. */
export interface AdminAccountBundle {
  /** In the order of the selection's cursor, newest first. */
  readonly ids: readonly AccountId[]
  readonly cursors: readonly number[]
  readonly endsEarly: boolean
  readonly accounts: ReadonlyMap<AccountId, AdminAccountFacts>
  /** Permissions of the base role, which every user has. */
  readonly basicPermissions: number
}

/**
 * Loads the accounts a selection names by rows (id, cursor) with everything moderators see: one statement.
 *
 * Unlike `loadAccounts`, accounts that are not confirmed or approved are included: only staff endpoints may show them.
 */
export function loadAdminAccounts(ctx: Ctx, selection: Selection): Query<AdminAccountBundle> {
  const found = rows(
    ctx.db
      .select({
        account: accountCell.as('account'),
        user: userCell.as('user'),
        role: fullRoleCell.as('role'),
        ips: ipsColumn.as('ips'),
        invitedBy:
          sql<AccountId | null>`(select account_id from invites where invites.id = ${users.inviteId})`.as(
            'invited_by',
          ),
        basic: basePermissions.as('basic'),
        moved: movedCell.as('moved'),
        movedRole: movedRoleCell.as('moved_role'),
        cursor: sql<number>`page.cursor`.as('cursor'),
        isEnd: sql<number>`page.is_end`.as('is_end'),
      })
      .from(sql`(${withEnd(selection)}) as page`)
      // Cross joins keep their order: left to choose, SQLite may scan all accounts.
      .crossJoin(accounts)
      .leftJoin(users, eq(users.accountId, accounts.id))
      .leftJoin(
        roles,
        sql`${users.accountId} is not null and ${roles.id} = coalesce(${users.roleId}, ${sql.raw(String(baseRole))})`,
      )
      .leftJoin(moved, sql`${moved.id} = ${accounts.movedToAccountId} and ${isVisibleAccount('moved')}`)
      .leftJoin(movedUsers, eq(movedUsers.accountId, moved.id))
      .leftJoin(movedRoles, eq(movedRoles.id, movedUsers.roleId))
      .where(sql`${accounts.id} = page.id`),
  )
  return map(found, (selected) => {
    const ordered = selected.toSorted((a, b) => b.cursor - a.cursor)
    const shown = ordered.filter(({ isEnd }) => isEnd === 0)
    return {
      ids: shown.map(({ account }) => account.id),
      cursors: [...new Set(ordered.map(({ cursor }) => cursor))],
      endsEarly: selected.some(({ isEnd }) => isEnd === 1),
      basicPermissions: selected[0]?.basic ?? 0,
      accounts: new Map(
        shown.map(({ account, user, role, ips, invitedBy, ...row }) => [
          account.id,
          {
            account,
            moved: row.moved === null ? null : { account: row.moved, role: row.movedRole },
            user: user === null || role === null ? null : { ...user, role, ips, invitedBy },
          },
        ]),
      ),
    }
  })
}
