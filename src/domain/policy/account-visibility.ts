import { type SQL, sql } from 'drizzle-orm'
import { accounts, users } from '../../db/schema'

/** Alias of an accounts row in hand-written SQL. */
export type AccountAlias = 'a' | 'friend' | 'moved' | 'named' | 'target'

/**
 * Whether this account may be shown. Local accounts only once they are confirmed and approved: until then their existence
 * is not revealed. Suspension does not count here: suspended accounts are shown blanked.
 */
export function isVisibleAccount(alias: AccountAlias): SQL {
  const a = sql.raw(alias)
  return sql`(${a}.domain is not null or exists (select 1 from users standing where standing.account_id = ${a}.id
    and standing.confirmed_at is not null and standing.approved = 1))`
}

/** `isVisibleAccount` where the users row is joined already. */
export const isVisibleAccountJoined = sql<number>`(${accounts.domain} is not null
  or (${users.confirmedAt} is not null and ${users.approved} = 1))`

/** Whether the local account with this id, an SQL expression, is active. The condition that `mayPost` checks for callers. */
export function isActiveAccount(accountId: string): SQL {
  return sql.raw(`exists (select 1 from users u cross join accounts a on a.id = u.account_id
    where u.account_id = ${accountId} and u.disabled_at is null and u.approved = 1 and u.confirmed_at is not null
      and a.suspended_at is null)`)
}

/** Whether an account that lists `domains` consents to be named as the author of a page; subdomains included. Pure. */
export function isAttributable(domains: readonly string[], url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
