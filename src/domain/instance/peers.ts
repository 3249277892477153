import { asc, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { map, type Query, rows } from '../../db/query'
import { instances } from '../../db/schema'

/** The domains of all servers this one has met. */
export function peerDomains(ctx: Ctx): Query<string[]> {
  const found = rows(
    ctx.db.select({ domain: instances.domain }).from(instances).orderBy(asc(instances.domain)),
  )
  return map(found, (list) => list.map(({ domain }) => domain))
}

/** How many domains a search finds at most. */
const suggested = 10

/** The first domains that begin like this, without those nothing is exchanged with. */
export function peersBeginningWith(ctx: Ctx, beginning: string): Query<string[]> {
  const { domain } = instances
  const isSuspended = sql`exists (
    with recursive above(name) as
      (select ${domain} union all select substr(name, instr(name, '.') + 1) from above where instr(name, '.') > 0)
    select 1 from above cross join domain_limits l on l.domain = above.name and l.severity = 'suspend')`
  const found = ctx.db
    .select({ domain })
    .from(instances)
    .where(sql`${domain} >= ${beginning} and ${domain} < ${`${beginning}\u{10ffff}`} and not ${isSuspended}`)
    .orderBy(asc(domain))
    .limit(suggested)
  return map(rows(found), (list) => list.map((row) => row.domain))
}
