import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { map, type Query, rows } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { readCachedList } from '../core/cached-lists'

/** The domains of all servers this one has met. */
export function peerDomains(ctx: Ctx): Query<readonly string[]> {
  return readCachedList(ctx, 'peers', z.string())
}

/** How many domains a search finds at most. */
const suggested = 10
/** How many are held against the limits. */
const lookedAt = 150

/** The first domains that begin like this, without those nothing is exchanged with. */
export function peersBeginningWith(ctx: Ctx, beginning: string): Query<string[]> {
  const isSuspended = sql`exists (
    with recursive above(name) as
      (select peer.domain union all select substr(name, instr(name, '.') + 1) from above where instr(name, '.') > 0)
    select 1 from above cross join domain_limits l on l.domain = above.name and l.severity = 'suspend')`
  const candidates = sql`(select domain from instances
    where domain >= ${beginning} and domain < ${`${beginning}\u{10ffff}`}
    order by domain ${limitTo(lookedAt)}) peer`
  // The order stands inside: the query around it keeps it.
  const found = ctx.db
    .select({ domain: sql<string>`peer.domain`.as('domain') })
    .from(candidates)
    .where(sql`not ${isSuspended}`)
    .limit(suggested)
  return map(rows(found), (list) => list.map((row) => row.domain))
}
