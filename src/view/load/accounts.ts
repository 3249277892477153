import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { jsonColumn, jsonPart, jsonParts, numberPart, optionalJsonPart } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import {
  both,
  combineQueries,
  constant,
  countedBefore,
  first,
  limitTo,
  map,
  prefixedColumns,
  type Query,
  rows,
  type Selection,
  withEnd,
} from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import type { UserSettings } from '../../db/schema/accounts'
import type { ViewerRef } from '../../domain/core/viewer'
import { isVisibleAccount, isVisibleAccountJoined } from '../../domain/policy/account-visibility'
import { basePermissions, baseRole } from '../../domain/policy/permissions'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type FeaturedTagFacts, featuredTagsOf } from './tags'

const { note: _note, publicKey: _publicKey, alsoKnownAs: _aliases, ...shown } = getTableColumns(accounts)

/** The account columns that any reader is shown. Source texts and keys are left out. */
export const accountColumns = shown

/** An account as loaded for presenting. */
export type AccountFacts = Pick<typeof accounts.$inferSelect, keyof typeof accountColumns>

/** An account as part of a JSON column of a select that joins the table. */
export const accountPart = jsonPart(accountColumns)

/** An account as one JSON column. */
export const accountCell = jsonColumn(accountPart)

const { id, name, color, highlighted } = roles

/** Public part of a role, as part of a JSON column. */
export const rolePart = optionalJsonPart({ id, name, color, highlighted })
export const roleCell = jsonColumn(rolePart)

export const moved = alias(accounts, 'moved')
export const movedUsers = alias(users, 'moved_users')
export const movedRoles = alias(roles, 'moved_roles')
const {
  note: _movedNote,
  publicKey: _movedKey,
  alsoKnownAs: _movedAliases,
  ...movedShown
} = getTableColumns(moved)

export const movedColumns = movedShown
export const movedRoleColumns = {
  id: movedRoles.id,
  name: movedRoles.name,
  color: movedRoles.color,
  highlighted: movedRoles.highlighted,
}

/** The account this one moved to, if visible, with its role. */
const movedPart = optionalJsonPart(movedShown)
const movedRolePart = optionalJsonPart(movedRoleColumns)

/** Joins the user of `accounts`, whose lookup would read a row for each remote account too. */
export const isUserOfAccount = sql`users.account_id = case when accounts.domain is null then accounts.id end`

export interface AccountRoleFacts {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly highlighted: boolean
}

/** Accounts with what they embed: the role they show and the account they moved to. */
export interface AccountBundle {
  /** In the order of the selection's cursor, newest first. */
  readonly ids: readonly AccountId[]
  /** Every cursor selected, filtered accounts included, so that the next page starts after them. */
  readonly cursors: readonly number[]
  /** The selection ended before the page was full: more may follow after its last cursor. */
  readonly endsEarly: boolean
  readonly accounts: ReadonlyMap<AccountId, AccountFacts>
  readonly roles: ReadonlyMap<AccountId, AccountRoleFacts>
}

/** Result for an empty selection. */
export const noAccounts: Query<AccountBundle> = constant({
  ids: [],
  cursors: [],
  endsEarly: false,
  accounts: new Map(),
  roles: new Map(),
})

/**
 * Loads the accounts a selection names by rows (id, cursor), with those they moved to: one statement.
 *
 * Accounts that are not confirmed and approved are left out here, whatever the selection let through.
 */
export function loadAccounts(ctx: Ctx, selection: Selection): Query<AccountBundle> {
  return map(rows(selectAccounts(ctx.db, { picked: withEnd(selection) })), (found) =>
    bundleOf(found.map(({ row }) => row)),
  )
}

const rowOfPage = jsonParts({
  account: accountPart,
  role: rolePart,
  moved: movedPart,
  movedRole: movedRolePart,
  cursor: numberPart(sql`page.cursor`),
  isEnd: numberPart(sql`page.is_end`),
  stands: numberPart(isVisibleAccountJoined),
})

const selectAccounts = prepared(['picked'], (db, { picked }) =>
  db
    .select({ row: rowOfPage.as('row') })
    .from(sql`(${picked}) as page`)
    // Cross joins keep their order: left to choose, SQLite may scan all accounts.
    .crossJoin(accounts)
    .leftJoin(users, isUserOfAccount)
    .leftJoin(roles, eq(roles.id, users.roleId))
    .leftJoin(moved, sql`${moved.id} = ${accounts.movedToAccountId} and ${isVisibleAccount('moved')}`)
    .leftJoin(movedUsers, eq(movedUsers.accountId, moved.id))
    .leftJoin(movedRoles, eq(movedRoles.id, movedUsers.roleId))
    .where(sql`${accounts.id} = page.id`),
)

interface Selected {
  readonly account: AccountFacts
  readonly role: AccountRoleFacts | null
  readonly moved: AccountFacts | null
  readonly movedRole: AccountRoleFacts | null
  readonly cursor: number
  readonly isEnd: number
  readonly stands: number
}

function bundleOf(selected: readonly Selected[]): AccountBundle {
  const ordered = selected.toSorted((a, b) => b.cursor - a.cursor)
  const shown = ordered.filter((row) => row.stands === 1 && row.isEnd === 0)
  const embedded = shown.flatMap(({ account, role, ...row }) => [
    ...(row.moved === null ? [] : [{ account: row.moved, role: row.movedRole }]),
    { account, role },
  ])
  return {
    ids: shown.map((row) => row.account.id),
    cursors: [...new Set(ordered.map(({ cursor }) => cursor))],
    endsEarly: selected.some(({ isEnd }) => isEnd === 1),
    accounts: new Map(embedded.map(({ account }) => [account.id, account])),
    roles: new Map(
      embedded.flatMap(({ account, role }) => (role === null ? [] : [[account.id, role] as const])),
    ),
  }
}

/** Selects given accounts, in the order given. */
export function accountsById(ids: readonly AccountId[]): SQL {
  return sql`select value as id, -key as cursor from json_each(${JSON.stringify(ids)})`
}

/** Statuses of a remote account that are counted while reading; more of one day appear with the daily count. */
const mostUncounted = 100

interface Uncounted {
  readonly id: AccountId
  readonly number: number
  readonly latest: number
}

/**
 * Loads the one account of a selection, as `loadAccounts`, with the statuses of a remote author that `count-servers` has not
 * counted yet: two statements. Lists of accounts show the stored counts.
 */
export function loadAccount(ctx: Ctx, selection: SQL): Query<AccountBundle> {
  const found = first<Uncounted>(
    ctx.db
      .select({
        id: sql<AccountId>`recent.account_id`.as('id'),
        number: sql<number>`count(*)`.as('number'),
        latest: sql<number>`max(recent.created_at)`.as('latest'),
      })
      .from(
        sql`(select s.account_id, s.created_at from (${selection}) one
          cross join accounts a on a.id = one.id and a.domain is not null
          cross join statuses s on s.account_id = a.id and s.id >= ${countedBefore}
            and s.local = 0 and s.visibility <> 'direct'
          order by s.id desc ${limitTo(mostUncounted)}) recent`,
      )
      .groupBy(sql`recent.account_id`),
  )
  return map(both(loadAccounts(ctx, selection), found), ([bundle, uncounted]) => {
    const facts = uncounted === null ? undefined : bundle.accounts.get(uncounted.id)
    if (uncounted === null || facts === undefined) return bundle
    return { ...bundle, accounts: new Map(bundle.accounts).set(facts.id, withUncounted(facts, uncounted)) }
  })
}

function withUncounted(facts: AccountFacts, { number, latest }: Uncounted): AccountFacts {
  const lastStatusAt = new Date(Math.max(facts.lastStatusAt?.getTime() ?? 0, latest))
  return { ...facts, statusesCount: facts.statusesCount + number, lastStatusAt }
}

/** The private part of the viewer's own account: source texts, posting defaults, role. */
export interface OwnFacts {
  readonly note: string
  readonly settings: UserSettings
  readonly locale: string
  readonly role: Pick<
    typeof roles.$inferSelect,
    'id' | 'name' | 'color' | 'permissions' | 'highlighted' | 'collectionLimit'
  >
  /** Permissions that every user has, whatever the role. */
  readonly basicPermissions: number
  readonly followRequests: number
}

export interface OwnAccount {
  readonly accounts: AccountBundle
  readonly own: OwnFacts | null
}

/** Upper bound of the follow requests counted. */
const mostRequests = 1_000

/** Loads the viewer's own account as they edit it: two statements. */
export function loadOwnAccount(ctx: Ctx, viewer: ViewerRef): Query<OwnAccount> {
  const { id, name, color, permissions, highlighted, collectionLimit } = roles
  const own = first(
    ctx.db
      .select({
        note: accounts.note,
        settings: users.settings,
        locale: users.locale,
        role: prefixedColumns('r', { id, name, color, permissions, highlighted, collectionLimit }),
        basicPermissions: basePermissions.as('basic'),
        followRequests: sql<number>`(select count(*) from (select 1 from follow_requests q
          where q.target_account_id = ${accounts.id} ${limitTo(mostRequests)}))`.as('requests'),
      })
      .from(users)
      .innerJoin(accounts, eq(accounts.id, users.accountId))
      .innerJoin(roles, sql`${roles.id} = coalesce(${users.roleId}, ${baseRole})`)
      .where(sql`${users.accountId} = ${viewer.id}`),
  )
  return combineQueries({ accounts: loadAccounts(ctx, sql`select ${viewer.id} as id, 0 as cursor`), own })
}

/** The viewer's own account with the other fields of the profile. */
export interface OwnProfile extends OwnAccount {
  readonly featuredTags: readonly FeaturedTagFacts[]
}

/** Loads the viewer's own profile as they edit it: three statements. */
export function loadOwnProfile(ctx: Ctx, viewer: ViewerRef): Query<OwnProfile> {
  const parts = combineQueries({ account: loadOwnAccount(ctx, viewer), tags: featuredTagsOf(ctx, viewer.id) })
  return map(parts, ({ account, tags }) => ({ ...account, featuredTags: tags }))
}
