import { type SQL, sql } from 'drizzle-orm'
import { prepared } from '../../db/prepared'
import { first, jsonRows, map, type Query, rows } from '../../db/query'
import { accounts } from '../../db/schema'
import type { Handle } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isVisibleAccount } from '../policy/account-visibility'

export type AccountRow = typeof accounts.$inferSelect

/** Columns a text needs to link an account it mentions. */
export type Mentionable = Pick<AccountRow, 'id' | 'username' | 'domain' | 'uri' | 'url' | 'suspendedAt'>

/** Known accounts among `handles`, in no particular order; the domain of local accounts is null. One statement. */
export function accountsByHandles(ctx: Ctx, handles: readonly Handle[]): Query<Mentionable[]> {
  const { id, username, domain, uri, url, suspendedAt } = accounts
  const asked = handles.map((handle) => ({
    username: handle.username.toLowerCase(),
    domain: handle.domain ?? '',
  }))
  return rows(
    ctx.db
      .select({ id, username, domain, uri, url, suspendedAt })
      .from(accounts)
      .where(sql`${id} in (select a.id from ${jsonRows(asked)} cross join accounts a
        on lower(a.username) = item.value ->> 'username' and coalesce(a.domain, '') = item.value ->> 'domain'
        where ${isVisibleAccount('a')})`),
  )
}

/** Whether a visible account with this id exists. One small statement, for lists that are empty either way. */
export function accountExists(ctx: Ctx, id: AccountId): Query<boolean> {
  return map(first(selectExisting(ctx.db, { id })), (row) => row !== null)
}

const selectExisting = prepared(['id'], (db, { id }) =>
  db.select({ id: sql<number>`found.id`.as('id') }).from(sql`(${selectById(id)}) found`),
)

/** Account with this id as a selection (id, cursor). */
export function selectById(id: AccountId | SQL): SQL {
  return sql`select a.id as id, 0 as cursor from accounts a where a.id = ${id} and ${isVisibleAccount('a')}`
}

/** Id of the account with this handle, as a subquery. */
export function idByHandle(handle: Handle): SQL {
  return sql`(select id from (${selectByHandle(handle)}))`
}

/** Account with this handle as a selection (id, cursor). */
export function selectByHandle(handle: Handle): SQL {
  return sql`select named.id as id, 0 as cursor from accounts named
    where lower(named.username) = ${handle.username.toLowerCase()}
      and coalesce(named.domain, '') = ${handle.domain ?? ''} and ${isVisibleAccount('named')}`
}

/** Verbatim as in the index `accounts_split_handles`, so that the index is used. */
const hostOfUri = sql`substr(uri, 9, instr(substr(uri, 9), '/') - 1)`

/**
 * Id of the account with this handle, or else of the remote one of this name whose id is at that host and whose handle
 * has another domain, as a subquery.
 */
export function idByNameAtHost({ username, domain }: Handle): SQL {
  const name = username.toLowerCase()
  const exact = sql`(select id from accounts
    where lower(username) = ${name} and coalesce(domain, '') = ${domain ?? ''})`
  if (domain === null) return exact
  return sql`coalesce(${exact}, (select id from accounts
    where ${hostOfUri} = ${domain} and lower(username) = ${name} and domain <> ${hostOfUri} order by id limit 1))`
}

// Cross joins keep their order: left to choose, SQLite may scan all accounts for a short list.

/** Publicly visible accounts among `ids`, in the order given, as a selection (id, cursor). */
export function selectKnown(
  ids: readonly AccountId[],
  options: { readonly withSuspended: boolean } = { withSuspended: true },
): SQL {
  return sql`select a.id as id, -item.key as cursor
    from ${jsonRows(ids)} cross join accounts a on a.id = item.value
    where ${isVisibleAccount('a')} and ${options.withSuspended ? sql`1` : sql`a.suspended_at is null`}`
}
