import { type SQL, sql } from 'drizzle-orm'
import { accounts, users } from '../../db/schema'

/** The alias an accounts row carries in hand-written SQL. */
export type AccountAlias = 'a' | 'friend' | 'moved' | 'named' | 'target'

/**
 * May this account be shown at all? People of this server only once they are confirmed and approved; until
 * then nobody else may learn that they exist. Suspension is another matter: it blanks, and here counts for nothing.
 */
export function isVisibleAccount(alias: AccountAlias): SQL {
  const a = sql.raw(alias)
  return sql`(${a}.domain is not null or exists (select 1 from users standing where standing.account_id = ${a}.id
    and standing.confirmed_at is not null and standing.approved = 1))`
}

/** The same where the users row is joined already. */
export const isVisibleAccountJoined = sql<number>`(${accounts.domain} is not null
  or (${users.confirmedAt} is not null and ${users.approved} = 1))`

/** May the person whose account has this id, an SQL expression, be here? What `mayPost` asks of callers. */
export function isActiveAccount(accountId: string): SQL {
  return sql.raw(`exists (select 1 from users u cross join accounts a on a.id = u.account_id
    where u.account_id = ${accountId} and u.disabled_at is null and u.approved = 1 and u.confirmed_at is not null
      and a.suspended_at is null)`)
}
