import { type SQL, sql } from 'drizzle-orm'
import { execute, inList, jsonRows, limitTo, rows } from '../../db/query'
import { Invalid } from '../../errors'
import type { AccountId, RoleId } from '../../lib/ids'
import type { AddressRange } from '../../lib/network'
import type { Ctx } from '../../ports/ctx'
import type { Page } from '../core/page'
import { roleAllows } from '../policy/permissions'

export const accountStates = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'] as const
export type AccountState = (typeof accountStates)[number]

/** Accounts that a moderator looks for; every condition that is given has to hold. */
export interface AccountFilter {
  readonly origin?: 'local' | 'remote' | undefined
  /** `active`: not suspended. `disabled`: and not suspended as well. */
  readonly status?: AccountState | undefined
  /** Members whose role may manage reports. */
  readonly isStaff?: boolean | undefined
  readonly roleIds?: readonly RoleId[] | undefined
  readonly invitedBy?: AccountId | undefined
  /** Beginnings, whatever their case. */
  readonly username?: string | undefined
  readonly displayName?: string | undefined
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly addresses?: AddressRange | undefined
}

/** Rows read to learn whether only a few accounts meet a condition that no index has in the order of ids. */
const probedRows = 140
/** Accounts examined for one page beyond its size, where few of them meet the conditions. */
const mostExamined = 100
/** Most accounts that one page examines, by the rows that each costs: 400 rows a page with everything. */
const examinedRows = { plain: 125, indexed: 90, few: 60, probed: 60 } as const

/** Scan for a page of accounts; see `AccountScan` of the loader. */
export interface ModeratedAccountScan {
  readonly source: SQL
  readonly where: SQL
  readonly cursor: SQL
  readonly direction: 'asc' | 'desc'
  readonly most: number
  readonly matches: SQL
  readonly limit: number
}

/**
 * Plans a page of accounts by descending id: one round trip at most.
 *
 * E-mail address, IP address, inviter and role have indexes, but not in the order of ids: where few accounts meet such a
 * condition, these few are examined, otherwise it is checked on accounts in the order of ids. The number of examined
 * accounts is bounded, so that a page may be short and still offer a next one. `Invalid` for a network with too many
 * addresses.
 */
export async function planAccountPage(
  ctx: Ctx,
  filter: AccountFilter,
  page: Page,
): Promise<ModeratedAccountScan> {
  const probe = probeOf(filter)
  const few = probe === null ? null : await findFew(ctx, probe)
  const direction = page.minId === undefined ? 'desc' : 'asc'
  const { source, where, cursor, kind } = few === null ? walkOf(filter) : listed(few, page)
  const bound = few === null && probe !== null ? examinedRows.probed : examinedRows[kind]
  const most = Math.min(bound, Math.max(page.limit, mostExamined))
  return {
    source,
    where: sql`${where} and ${boundsOf(page, cursor)}`,
    cursor,
    direction,
    most,
    matches: conditionsOf(filter, kind === 'indexed'),
    limit: Math.min(page.limit, most),
  }
}

/**
 * Bounds as literals: bound numbers are floats, which the full-text index does not take as bounds of its scan. Above 0,
 * because the instance actor is an account as well.
 */
function boundsOf({ maxId, sinceId, minId }: Page, cursor: SQL): SQL {
  const literal = (id: number) => sql.raw(String(Math.trunc(id)))
  const above = sql`${cursor} > ${literal(Math.max(sinceId ?? 0, minId ?? 0))}`
  return maxId === undefined ? above : sql`${above} and ${cursor} < ${literal(maxId)}`
}

interface Source extends Pick<ModeratedAccountScan, 'source' | 'where' | 'cursor'> {
  readonly kind: keyof typeof examinedRows
}

/** The first accounts of the page among a few. */
function listed(few: readonly AccountId[], { maxId, sinceId, minId }: Page): Source {
  const above = Math.max(sinceId ?? 0, minId ?? 0)
  const ordered = few
    .filter((id) => id > above && (maxId === undefined || id < maxId))
    .toSorted((a, b) => (minId === undefined ? b - a : a - b))
  return {
    kind: 'few',
    source: sql`${jsonRows(ordered.slice(0, examinedRows.few))} cross join accounts on accounts.id = item.value
      left join users on users.account_id = accounts.id`,
    where: sql`1`,
    cursor: sql`accounts.id`,
  }
}

/** Accounts that meet one condition, as rows (id, address), `probedRows` and one more; id is null for sources without. */
interface Probe {
  readonly selected: SQL
  readonly isMet: (address: string) => boolean
  /** Error where there are more, and accounts in the order of ids cannot be checked. */
  readonly refusal: Error | null
}

async function findFew(ctx: Ctx, { selected, isMet, refusal }: Probe): Promise<readonly AccountId[] | null> {
  const found = await execute(
    ctx.db,
    rows(
      ctx.db
        .select({
          id: sql<AccountId | null>`probed.id`.as('id'),
          address: sql<string>`probed.address`.as('address'),
        })
        .from(sql`(${selected} ${limitTo(probedRows + 1)}) probed`),
    ),
  )
  if (found.length > probedRows) {
    if (refusal !== null) throw refusal
    return null
  }
  const met = found.flatMap(({ id, address }) => (id !== null && isMet(address) ? [id] : []))
  return [...new Set(met)]
}

function probeOf({ email, addresses, invitedBy, roleIds, isStaff }: AccountFilter): Probe | null {
  const always = { isMet: () => true, refusal: null }
  if (email !== undefined)
    return {
      ...always,
      selected: sql`select account_id as id, '' as address from users
        where ${beginsWith(sql`lower(email)`, email.toLowerCase())}`,
    }
  if (addresses !== undefined) {
    const { prefix, isSingle } = addresses
    const found = (column: SQL) => (isSingle ? sql`${column} = ${prefix}` : beginsWith(column, prefix))
    return {
      selected: sql`select account_id as id, sign_up_ip as address from users
          where sign_up_ip is not null and ${found(sql`sign_up_ip`)}
        union all select account_id, ip from sessions where ip is not null and ${found(sql`ip`)}`,
      isMet: (address) => addresses.contains(address),
      refusal: isSingle ? null : new Invalid('too_many_addresses', { field: 'ip' }),
    }
  }
  if (invitedBy !== undefined)
    return {
      ...always,
      selected: sql`select u.account_id as id, '' as address
        from (select id from invites where account_id = ${invitedBy} ${limitTo(probedRows + 1)}) i
        left join users u on u.invite_id = i.id`,
    }
  const roles = rolesOf({ roleIds, isStaff })
  if (roles === null) return null
  return {
    ...always,
    selected: sql`select u.account_id as id, '' as address
      from (${roles}) wanted cross join users u on u.role_id = wanted.id where u.role_id is not null`,
  }
}

/** The roles that are wanted, as rows (id); null for any. */
function rolesOf({ roleIds, isStaff }: Pick<AccountFilter, 'roleIds' | 'isStaff'>): SQL | null {
  const isWanted = [
    ...(isStaff === true ? [roleAllows('manageReports')] : []),
    ...(roleIds === undefined || roleIds.length === 0 ? [] : [inList(sql`role.id`, roleIds)]),
  ]
  return isWanted.length === 0 ? null : sql`select role.id as id from roles role where ${all(isWanted)}`
}

/** Accounts in the order of ids, from the narrowest index that has them so. */
function walkOf(filter: AccountFilter): Source {
  const { status, domain, origin } = filter
  const pattern = namePattern(filter)
  const byAccounts = (where: SQL): Source => ({
    kind: 'plain',
    source: sql`accounts left join users on users.account_id = accounts.id`,
    where,
    cursor: sql`accounts.id`,
  })
  const byUsers = (where: SQL): Source => ({
    kind: 'plain',
    source: sql`users cross join accounts on accounts.id = users.account_id`,
    where,
    cursor: sql`users.account_id`,
  })
  if (pattern !== null)
    return {
      kind: 'indexed',
      source: sql`account_search cross join accounts on accounts.id = account_search.rowid
        left join users on users.account_id = accounts.id`,
      where: sql`account_search match ${pattern}`,
      cursor: sql`account_search.rowid`,
    }
  if (domain !== undefined) return byAccounts(sql`accounts.domain = ${domain.toLowerCase()}`)
  switch (status) {
    case 'pending':
      return byUsers(sql`users.approved = 0`)
    case 'disabled':
      return byUsers(sql`users.disabled_at is not null`)
    case 'silenced':
    case 'suspended':
    case 'sensitized':
      return byAccounts(sql`accounts.${sql.raw(status)}_at is not null`)
    default:
      return byAccounts(origin === 'local' ? sql`accounts.domain is null` : sql`1`)
  }
}

/** Every condition, on `accounts` and the left-joined `users`; `isNamed`: the scan reads the names asked for alone. */
function conditionsOf(filter: AccountFilter, isNamed: boolean): SQL {
  const { origin, status, invitedBy, username, displayName, domain, email, addresses } = filter
  const roles = rolesOf(filter)
  const pattern = namePattern(filter)
  return all([
    ...(origin === undefined
      ? []
      : [sql`accounts.domain is ${sql.raw(origin === 'local' ? '' : 'not')} null`]),
    ...(status === undefined ? [] : [stateConditions[status]]),
    ...(roles === null ? [] : [sql`users.role_id in (${roles})`]),
    ...(invitedBy === undefined
      ? []
      : [sql`exists (select 1 from invites i where i.id = users.invite_id and i.account_id = ${invitedBy})`]),
    ...(username === undefined
      ? []
      : [sql`substr(lower(accounts.username), 1, ${[...username].length}) = ${username.toLowerCase()}`]),
    ...(displayName === undefined || pattern !== null
      ? []
      : [sql`substr(accounts.display_name, 1, ${[...displayName].length}) = ${displayName}`]),
    ...(pattern === null || isNamed
      ? []
      : [
          sql`exists (select 1 from account_search found where found.account_search match ${pattern}
          and found.rowid = accounts.id)`,
        ]),
    ...(domain === undefined ? [] : [sql`accounts.domain = ${domain.toLowerCase()}`]),
    ...(email === undefined ? [] : [beginsWith(sql`lower(users.email)`, email.toLowerCase())]),
    ...(addresses === undefined || !addresses.isSingle ? [] : [usedAddress(addresses)]),
  ])
}

const stateConditions: Readonly<Record<AccountState, SQL>> = {
  active: sql`accounts.suspended_at is null`,
  pending: sql`users.approved = 0`,
  disabled: sql`users.disabled_at is not null and accounts.suspended_at is null`,
  silenced: sql`accounts.silenced_at is not null`,
  suspended: sql`accounts.suspended_at is not null`,
  sensitized: sql`accounts.sensitized_at is not null`,
}

/** Of one address: whole networks are never checked account by account. */
function usedAddress({ prefix }: AddressRange): SQL {
  return sql`(users.sign_up_ip = ${prefix} or exists (
    select 1 from sessions s where s.ip = ${prefix} and s.account_id = accounts.id))`
}

/**
 * Full-text pattern for both names, at their beginnings; null where neither is asked for by a word. The index knows
 * words without marks and case, which is what a moderator types.
 */
function namePattern({ username, displayName }: AccountFilter): string | null {
  const named = [
    ...(username === undefined ? [] : [['username', username]]),
    ...(displayName === undefined ? [] : [['display_name', displayName]]),
  ]
  const parts = named
    .filter(([, text = '']) => /[\p{L}\p{N}]/u.test(text))
    .map(([column, text = '']) => `${column} : ^ "${text.replaceAll('"', '""')}"*`)
  return parts.length < named.length || parts.length === 0 ? null : parts.join(' AND ')
}

/** Condition for text that begins so, over an index on it. */
function beginsWith(column: SQL, beginning: string): SQL {
  return sql`(${column} >= ${beginning} and ${column} < ${`${beginning}\u{10ffff}`})`
}

function all(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`1` : sql.join([...conditions], sql` and `)
}
