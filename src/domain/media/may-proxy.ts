import { sql } from 'drizzle-orm'
import type { ProxiedFile } from '../../contract/media-proxy'
import { combineQueries, constant, execute, first, map, type Query } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { findDomainLimit, limitsCacheSeconds, limitsEpoch } from '../servers/limits'

/**
 * Whether a remote file may be proxied: neither its host nor the domain of the account it was shown for is suspended
 * or has its media rejected, and the account itself is not suspended.
 *
 * Decided once a minute for each host and account in each isolate, in one round trip, or again once a domain limit
 * changed here.
 */
export async function mayProxy(ctx: Ctx, { url, owner }: ProxiedFile): Promise<boolean> {
  const host = hostOf(url)
  if (host === null) return false
  const key = `passes ${limitsEpoch(ctx)} ${owner ?? ''} ${host}`
  const decided = ctx.memory.get(key)
  if (decided !== null) return decided === 'yes'
  const { limit, isOwnerFine } = await execute(
    ctx.db,
    combineQueries({
      limit: findDomainLimit(ctx, host),
      isOwnerFine: owner === null ? constant(true) : isOwnerAllowed(ctx, owner),
    }),
  )
  const passes = isOwnerFine && limit?.severity !== 'suspend' && limit?.rejectMedia !== true
  ctx.memory.set(key, passes ? 'yes' : 'no', limitsCacheSeconds)
  return passes
}

/** A row for each part of the domain. One statement. */
function isOwnerAllowed(ctx: Ctx, owner: AccountId): Query<boolean> {
  const parts = sql`(with recursive part(name) as (select a.domain
    union select substr(name, instr(name, '.') + 1) from part where instr(name, '.') > 0) select name from part)`
  const isAllowed = ctx.config.federation.limited
    ? sql`a.domain is null or exists (select 1 from allowed_domains d where d.domain in ${parts})`
    : sql`1`
  const found = first(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id') })
      .from(sql`accounts a`)
      .where(sql`a.id = ${owner} and a.suspended_at is null and (${isAllowed}) and not exists (
        select 1 from domain_limits l where l.domain in ${parts} and (l.severity = 'suspend' or l.reject_media = 1))`),
  )
  return map(found, (row) => row !== null)
}
