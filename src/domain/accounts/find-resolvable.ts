import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { first, jsonRows, map, oneRow, type Query, rows } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
import { ownNameIn } from '../../lib/addresses'
import { ownSpelledOut } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isVisibleAccount } from '../policy/account-visibility'
import { idByNameAtHost, type Mentionable, selectByHandle, selectById } from './find'

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
