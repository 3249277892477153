import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { limitTo, map, type Query, rows } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
import { readCachedList } from '../core/cached-lists'

/** Domains of all servers this one has met. */
export function peerDomains(ctx: Ctx): Query<readonly string[]> {
  return readCachedList(ctx, 'peers', z.string())
}

/** Maximum number of domains found by a search. */
const suggested = 10
/** Domains checked against the limits. */
const maxScanned = 150

/** First domains with this prefix, without suspended ones. */
export function peersBeginningWith(ctx: Ctx, beginning: string): Query<string[]> {
  const isSuspended = sql`exists (
    with recursive above(name) as
      (select peer.domain union all select substr(name, instr(name, '.') + 1) from above where instr(name, '.') > 0)
    select 1 from above cross join domain_limits l on l.domain = above.name and l.severity = 'suspend')`
  const candidates = sql`(select domain from instances
    where domain >= ${beginning} and domain < ${`${beginning}\u{10ffff}`}
    order by domain ${limitTo(maxScanned)}) peer`
  // Ordered in the subquery: the outer query keeps the order.
  const found = ctx.db
    .select({ domain: sql<string>`peer.domain`.as('domain') })
    .from(candidates)
    .where(sql`not ${isSuspended}`)
    .limit(suggested)
  return map(rows(found), (list) => list.map((row) => row.domain))
}
