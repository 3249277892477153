import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { ownNameIn } from '../../contract/addresses'
import { type Handle, ownSpelledOut } from '../../contract/handle'
import { prepared } from '../../db/prepared'
import { first, jsonRows, map, oneRow, type Query, rows } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
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

/** Account as the resolver needs it; `readAt` is when its document was last fetched, null for local accounts. */
export interface ResolvableAccount {
  readonly id: AccountId
  readonly uri: string | null
  readonly readAt: Date | null
}

/** Account with this handle, or of this name at the host of its id, if it may be shown. */
export function resolvableByHandle(
  ctx: Ctx,
  handle: { readonly username: string; readonly domain: string },
): Query<ResolvableAccount | null> {
  const wanted = idByNameAtHost(ownSpelledOut(handle, ctx.config.ownDomains))
  return readWhere(ctx, sql`${accounts.id} in (select id from (${selectById(wanted)}))`)
}

/**
 * Account with this actor id, or else with this profile page, local or remote. One statement.
 *
 * A profile page proves nothing: its server may name the same one for several of its accounts.
 */
export function resolvableByUrl(ctx: Ctx, address: string): Query<ResolvableAccount | null> {
  const username = ownNameIn(ctx.config.origin, address)
  if (username !== null) return resolvableByHandle(ctx, { username, domain: ctx.config.domain })
  return readWhere(
    ctx,
    sql`${accounts.id} = (select id from (
      select id, 0 as place from accounts where uri = ${address}
      union all
      select id, 1 from (select id from accounts where url = ${address} and ${isUnusualUrl} order by id limit 1)
      union all
      select id, 1 from (${withUsualUrl(address)})
    ) order by place, id limit 1)`,
  )
}

/** Account whose page has the address that follows from its handle, as most have. */
function withUsualUrl(address: string): SQL {
  const { pageName, pageDomain } = pageOfHandle(address)
  return sql`select id from accounts where lower(username) = ${pageName ?? ''}
    and coalesce(domain, '') = ${pageDomain ?? ''} and domain is not null and url = ${address}`
}

function readWhere(ctx: Ctx, condition: SQL): Query<ResolvableAccount | null> {
  return first(
    ctx.db
      .select({ id: accounts.id, uri: accounts.uri, readAt: remoteActors.fetchedAt })
      .from(accounts)
      .leftJoin(remoteActors, eq(remoteActors.accountId, accounts.id))
      .where(condition),
  )
}

/** Verbatim the index `accounts_unusual_urls`, so that the index is used. */
const isUnusualUrl = sql`url <> 'https://' || domain || '/@' || username`

/** Handle that follows from the address of a profile page, as most servers make it; nulls for any other address. */
function pageOfHandle(address: string): {
  readonly pageName: string | null
  readonly pageDomain: string | null
} {
  const [, domain, username] = /^https:\/\/([^/]+)\/@([^/@]+)$/.exec(address) ?? []
  return { pageName: username?.toLowerCase() ?? null, pageDomain: domain ?? null }
}

/** A known account, and the address by which it was asked for. */
export type AskedAccount = Mentionable & { readonly asked: string }

/**
 * Known accounts among addresses: actor ids or profile pages. A page is that of one account, though its server may name it for
 * several. One statement.
 */
export function accountsByUris(ctx: Ctx, uris: readonly string[]): Query<AskedAccount[]> {
  const { id, username, domain, uri, url, suspendedAt } = getTableColumns(accounts)
  const asked = uris.map((address) => ({
    asked: address,
    name: ownNameIn(ctx.config.origin, address)?.toLowerCase() ?? null,
    ...pageOfHandle(address),
  }))
  const found = rows(
    ctx.db
      .select({ id, username, domain, uri, url, suspendedAt, asked: sql<string>`named.asked`.as('asked') })
      .from(sql`(select item.value ->> 'asked' as asked, a.id as id
          from ${jsonRows(asked)} cross join accounts a on a.uri = item.value ->> 'asked'
          where a.domain is not null
        union all
        select item.value ->> 'asked', a.id
          from ${jsonRows(asked)} cross join accounts a
            on lower(a.username) = item.value ->> 'name' and coalesce(a.domain, '') = ''
          where ${isVisibleAccount('a')}
        union all
        select item.value ->> 'asked', a.id
          from ${jsonRows(asked)} cross join accounts a
            on lower(a.username) = item.value ->> 'pageName' and coalesce(a.domain, '') = item.value ->> 'pageDomain'
          where a.url = item.value ->> 'asked' and a.domain is not null
        union all
        select item.value ->> 'asked', (select a.id from accounts a
          where a.url = item.value ->> 'asked' and ${isUnusualUrl} order by a.id limit 1)
          from ${jsonRows(asked)}) as named`)
      .innerJoin(accounts, sql`${accounts.id} = named.id`),
  )
  // An id goes before the page of another account.
  return map(found, (all) => [...new Map(all.toReversed().map((row) => [row.asked, row])).values()])
}

/** Whether the remote actor `uri` is known here. One row at most. */
export function isKnownAccount(ctx: Ctx, uri: string): Query<boolean> {
  const known = sql<number>`exists (select 1 from accounts where uri = ${uri})`
  return map(first(ctx.db.select({ known: known.as('known') }).from(oneRow)), (row) => row?.known === 1)
}

/** Whether a visible local account of this name exists, suspended or not. */
export function localAccountExists(ctx: Ctx, username: string): Query<boolean> {
  const there = sql<number>`exists (select 1 from accounts a
    where lower(a.username) = ${username.toLowerCase()} and coalesce(a.domain, '') = '' and ${isVisibleAccount('a')})`
  return map(first(ctx.db.select({ there: there.as('there') }).from(oneRow)), (row) => row?.there === 1)
}

/** Id of the local account with this name. */
export function localAccountId(ctx: Ctx, username: string): Query<AccountId | null> {
  const found = first(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id') })
      .from(sql`(${selectByHandle({ username, domain: null })}) a`),
  )
  return map(found, (row) => row?.id ?? null)
}

/** Id of the remote account with this actor id. */
export function accountIdByUri(ctx: Ctx, uri: string): Query<AccountId | null> {
  const found = first(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id') })
      .from(sql`accounts a`)
      .where(sql`a.uri = ${uri} and a.domain is not null`),
  )
  return map(found, (row) => row?.id ?? null)
}

/** Followers collection of a remote account, by which its statuses name their audience. */
export function followersAddress(ctx: Ctx, id: AccountId): Query<string | null> {
  const found = first(
    ctx.db
      .select({ followers: remoteActors.followers })
      .from(remoteActors)
      .where(eq(remoteActors.accountId, id)),
  )
  return map(found, (row) => row?.followers ?? null)
}
