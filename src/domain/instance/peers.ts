import { asc } from 'drizzle-orm'
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
