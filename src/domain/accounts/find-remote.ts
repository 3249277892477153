import { eq, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { remoteActors } from '../../db/schema'
import { oneRow } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isVisibleAccount } from '../policy/account-visibility'
import { selectByHandle } from './find'

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
