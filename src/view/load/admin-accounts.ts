import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { jsonPart, optionalJsonPart } from '../../db/json-row'
import { combineQueries, limitTo, map, type Query, rows } from '../../db/query'
import { roles, users } from '../../db/schema'
import { isVisibleAccount } from '../../domain/policy/account-visibility'
import { baseRole } from '../../domain/policy/permissions'
import type { AccountId, RoleId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import {
  type AccountFacts,
  type AccountRoleFacts,
  accountColumns,
  movedColumns,
  movedRoleColumns,
} from './accounts'

const userParts = {
  id: users.accountId,
  roleId: users.roleId,
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

const parts = {
  account: jsonPart(accountColumns),
  user: optionalJsonPart(userParts),
  moved: optionalJsonPart(movedColumns),
  movedRole: optionalJsonPart(movedRoleColumns),
}

/** Addresses of sessions as JSON of `[ip, usedAt]`, the last used first. */
const ipsCells = {
  one: sql`(select json_group_array(json_array(ip, used_at)) from (
    select ip, max(last_seen_at) as used_at from (select ip, last_seen_at from sessions
      where account_id = users.account_id and ip is not null order by id desc ${limitTo(20)})
    group by ip order by used_at desc))`,
  // Of the newest session alone: a row for each account of a list.
  list: sql`(select json_group_array(json_array(ip, last_seen_at)) from (select ip, last_seen_at from sessions
    where account_id = users.account_id and ip is not null order by id desc ${limitTo(1)}))`,
} as const

/** JSON column with everything about an account. Lookups of what is not there count as rows read: they are left out. */
function wholeCell(ips: SQL): SQL {
  const { account, user, moved: movedTo, movedRole } = parts
  return sql`json_array(${account.cell}, ${user.cell},
    json(case when users.account_id is not null then ${ips} else '[]' end),
    case when users.invite_id is not null then (select account_id from invites where invites.id = users.invite_id) end,
    ${movedTo.cell}, ${movedRole.cell})`
}

/** An address that an account used. */
export interface AccountIp {
  readonly ip: string
  readonly usedAt: Date
}

/** The private part of a local account, for moderators. */
export interface AdminUserFacts
  extends Pick<typeof users.$inferSelect, Exclude<keyof typeof userParts, 'id' | 'roleId'>> {
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
 * Loads the accounts a selection names by rows (id, cursor) with everything moderators see: two statements.
 *
 * Unlike `loadAccounts`, accounts that are not confirmed or approved are included: only staff endpoints may show them.
 */
export function loadAdminAccounts(ctx: Ctx, selection: SQL): Query<AdminAccountBundle> {
  const selected = ctx.db
    .select({
      cursor: sql<number>`page.cursor`.as('cursor'),
      whole: sql<string>`${wholeCell(ipsCells.one)}`.as('whole'),
    })
    // Cross joins keep their order: left to choose, SQLite may scan all accounts.
    .from(sql`(${selection}) as page cross join accounts on accounts.id = page.id
      left join users on users.account_id = accounts.id ${joinMoved}`)
  return map(combineQueries({ found: rows(selected), roles: everyRole(ctx) }), (loaded) =>
    bundleOf(loaded.found, loaded.roles),
  )
}

/** Scan of accounts in the order of their ids, of which those that meet a condition are loaded. */
export interface AccountScan {
  /** Tables in their order, `accounts` and, left-joined, `users` among them. */
  readonly source: SQL
  /** Rows that the scan reads, with the bounds of the page. */
  readonly where: SQL
  /** The id of an account in the table that the scan begins with. */
  readonly cursor: SQL
  readonly direction: 'asc' | 'desc'
  /** Rows examined. */
  readonly most: number
  /** Whether an examined account belongs to the page. */
  readonly matches: SQL
  /** Accounts of a page. */
  readonly limit: number
}

/**
 * Loads a page of the accounts that a scan meets, and reads each examined account once: two statements.
 *
 * A scan that ends before the page is full names the last account it examined among the cursors.
 */
export function loadScannedAccounts(ctx: Ctx, scan: AccountScan): Query<AdminAccountBundle> {
  const { source, where, cursor: id, direction, most, matches, limit } = scan
  const examined = ctx.db
    .select({
      cursor: sql<AccountId>`${id}`.as('cursor'),
      whole: sql<string | null>`case when ${matches} then ${wholeCell(ipsCells.list)} end`.as('whole'),
    })
    .from(sql`${source} ${joinMoved}`)
    .where(where)
    .orderBy(sql`${id} ${sql.raw(direction)} ${limitTo(most)}`)
  return map(combineQueries({ found: rows(examined), roles: everyRole(ctx) }), ({ found, roles: known }) => {
    const matching = found.flatMap(({ cursor, whole }) => (whole === null ? [] : [{ cursor, whole }]))
    const bundle = bundleOf(matching.slice(0, limit), known)
    const last = found.at(-1)
    if (matching.length >= limit || found.length < most || last === undefined) return bundle
    const cursors = [...new Set([...bundle.cursors, last.cursor])].toSorted((a, b) => b - a)
    return { ...bundle, cursors, endsEarly: true }
  })
}

/** The account that one moved to, if visible, with its role. */
const joinMoved = sql`left join accounts moved on moved.id = accounts.moved_to_account_id and ${isVisibleAccount('moved')}
  left join users moved_users on moved_users.account_id = moved.id
  left join roles moved_roles on moved_roles.id = moved_users.role_id`

type RoleFacts = AdminUserFacts['role']

/** Roles of the server: few, and read once for a page instead of once for each account. */
function everyRole(ctx: Ctx): Query<ReadonlyMap<RoleId, RoleFacts>> {
  const { id, name, color, permissions, highlighted, collectionLimit } = roles
  const found = ctx.db.select({ id, name, color, permissions, highlighted, collectionLimit }).from(roles)
  return map(rows(found), (all) => new Map(all.map((role) => [role.id, role])))
}

const Cell = z.array(z.array(z.unknown())).nullable()
const Whole = z.tuple([
  Cell,
  Cell,
  z.array(z.tuple([z.string(), z.number()])),
  z.number().nullable(),
  Cell,
  Cell,
])

function bundleOf(
  selected: readonly { readonly cursor: number; readonly whole: string }[],
  known: ReadonlyMap<RoleId, RoleFacts>,
): AdminAccountBundle {
  const shown = selected
    .toSorted((a, b) => b.cursor - a.cursor)
    .map(({ cursor, whole }) => ({ cursor, facts: factsOf(whole, known) }))
  return {
    ids: shown.map(({ facts }) => facts.account.id),
    cursors: [...new Set(shown.map(({ cursor }) => cursor))],
    endsEarly: false,
    basicPermissions: known.get(baseRole)?.permissions ?? 0,
    accounts: new Map(shown.map(({ facts }) => [facts.account.id, facts])),
  }
}

function factsOf(whole: string, known: ReadonlyMap<RoleId, RoleFacts>): AdminAccountFacts {
  const [account, storedUser, ips, invitedBy, movedAccount, movedRole] = Whole.parse(JSON.parse(whole))
  const user = parts.user.read(storedUser)
  const movedTo = parts.moved.read(movedAccount)
  const role = known.get(user?.roleId ?? baseRole)
  return {
    account: parts.account.read(account),
    moved: movedTo === null ? null : { account: movedTo, role: parts.movedRole.read(movedRole) },
    user:
      user === null || role === undefined
        ? null
        : { ...user, role, invitedBy, ips: ips.map(([ip, usedAt]) => ({ ip, usedAt: new Date(usedAt) })) },
  }
}
