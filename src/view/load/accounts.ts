import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { jsonColumn, jsonPart, jsonParts, numberPart, optionalJsonPart } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import { constant, map, type Query, rows } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import { type Selection, withEnd } from '../../db/selection'
import { isVisibleAccount, isVisibleAccountJoined } from '../../domain/policy/account-visibility'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

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
