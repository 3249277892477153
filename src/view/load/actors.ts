import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { jsonRow } from '../../db/json-row'
import { map, type Query, rows } from '../../db/query'
import { accounts, users } from '../../db/schema'
import { isVisibleAccountJoined } from '../../domain/policy/account-visibility'
import { uriOfAccount } from '../../lib/addresses'
import type { Ctx } from '../../ports/ctx'

const { note: _note, ...columns } = getTableColumns(accounts)
const actorCell = jsonRow(columns)
const target = alias(accounts, 'target')

/** A local account with the fields of its actor document. */
export interface ActorFacts {
  readonly account: Omit<typeof accounts.$inferSelect, 'note'>
  /** Actor id of the account it moved to. */
  readonly movedTo: string | null
}

/**
 * Loads the local accounts a selection names by rows (id, cursor), newest cursor first. One statement.
 *
 * Accounts that are not confirmed and approved are left out, and so are remote accounts: their own servers
 * publish them.
 */
export function loadActors(ctx: Ctx, selection: SQL): Query<ActorFacts[]> {
  const found = rows(
    ctx.db
      .select({
        account: actorCell.as('account'),
        moved: sql<number | null>`target.id`.as('moved'),
        movedUri: sql<string | null>`target.uri`.as('moved_uri'),
        movedName: sql<string>`target.username`.as('moved_name'),
        stands: isVisibleAccountJoined.as('stands'),
        cursor: sql<number>`page.cursor`.as('cursor'),
      })
      .from(sql`(${selection}) as page`)
      .crossJoin(accounts)
      .leftJoin(users, eq(users.accountId, accounts.id))
      .leftJoin(target, eq(target.id, accounts.movedToAccountId))
      .where(sql`${accounts.id} = page.id and ${accounts.domain} is null`),
  )
  return map(found, (all) =>
    all
      .filter(({ stands }) => stands === 1)
      .toSorted((a, b) => b.cursor - a.cursor)
      .map(({ account, moved, movedUri, movedName }) => ({
        account,
        movedTo:
          moved === null ? null : uriOfAccount(ctx.config.origin, { uri: movedUri, username: movedName }),
      })),
  )
}
