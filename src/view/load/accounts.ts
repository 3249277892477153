import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { packed, packedOptional } from '../../db/packed'
import { known, map, type Query, rows } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import { standsJoined } from '../../domain/policy/standing'
import type { AccountId } from '../../lib/ids'

const { note: _note, publicKey: _publicKey, alsoKnownAs: _aliases, ...shown } = getTableColumns(accounts)

/** The columns of an account that any reader is shown; the sources of its texts and keys stay behind. */
const accountColumns = shown

/** One account as loaded for showing. */
export type AccountFacts = Pick<typeof accounts.$inferSelect, keyof typeof accountColumns>

/** An account as one cell of a select that joins the table. */
export const accountCell = packed(accountColumns)

const { id, name, color, highlighted } = roles

/** What an account shows of its role, as one cell. */
export const roleCell = packedOptional({ id, name, color, highlighted })

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
  /** Every cursor selected, accounts left out included, so that paging goes on behind them. */
  readonly cursors: readonly number[]
  readonly accounts: ReadonlyMap<AccountId, AccountFacts>
  readonly roles: ReadonlyMap<AccountId, AccountRoleFacts>
}

/** The answer where there is nobody to look for. */
export const noAccounts: Query<AccountBundle> = known({
  ids: [],
  cursors: [],
  accounts: new Map(),
  roles: new Map(),
})

/**
 * Loads the accounts a selection names by rows (id, cursor), with those they moved to: one statement.
 *
 * Whatever the selection let through, people who are not confirmed and approved are left out here.
 */
export function loadAccounts(ctx: Ctx, selection: SQL): Query<AccountBundle> {
  const picked = sql`(with picked(id, cursor) as materialized (${selection})
    select id, cursor from picked
    union all
    select a.moved_to_account_id, null from picked cross join accounts a
      where a.id = picked.id and a.moved_to_account_id is not null) as page`
  const found = rows(
    ctx.db
      .select({
        account: accountCell.as('account'),
        role: roleCell.as('role'),
        cursor: sql<number | null>`page.cursor`.as('cursor'),
        stands: standsJoined.as('stands'),
      })
      .from(picked)
      // A cross join keeps its order: left to choose, SQLite may scan all accounts.
      .crossJoin(accounts)
      .leftJoin(users, eq(users.accountId, accounts.id))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(sql`${accounts.id} = page.id`),
  )
  return map(found, (selected) => {
    const cursors = selected.flatMap((row) => (row.cursor === null ? [] : [row.cursor]))
    const all = selected.filter((row) => row.stands === 1)
    const top = all.filter((row) => row.cursor !== null).sort((a, b) => (b.cursor ?? 0) - (a.cursor ?? 0))
    return {
      ids: top.map((row) => row.account.id),
      cursors: cursors.sort((a, b) => b - a),
      accounts: new Map(all.map((row) => [row.account.id, row.account])),
      roles: new Map(
        all.flatMap((row) => {
          const { account, role } = row
          return role === null ? [] : [[account.id, role] as const]
        }),
      ),
    }
  })
}

/** A selection of given accounts, in the order given. */
export function accountsById(ids: readonly AccountId[]): SQL {
  return sql`select value as id, -key as cursor from json_each(${JSON.stringify(ids)})`
}
