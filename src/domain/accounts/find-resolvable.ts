import { eq, type SQL, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
import { ownNameIn } from '../../lib/addresses'
import { ownSpelledOut } from '../../lib/handle'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idByNameAtHost, selectById } from './find'
import { isUnusualUrl, pageOfHandle } from './page-address'

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
