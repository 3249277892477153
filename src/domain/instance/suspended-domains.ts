import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { constant, map, type Query, rows } from '../../db/query'
import { domainLimits } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { limitsCacheSeconds, limitsEpoch, namesAbove } from './limits'

const Domains = z.array(z.string())

/**
 * Domains that moderators suspended: for checks of very many hosts at once. Read once a minute by each isolate, or
 * again once a limit changed here. At most one statement.
 */
export function suspendedDomains(ctx: Ctx): Query<ReadonlySet<string>> {
  const key = `suspended domains ${limitsEpoch(ctx)}`
  const cached = ctx.memory.get(key)
  if (cached !== null) return constant(new Set(Domains.parse(JSON.parse(cached))))
  const { domain, severity } = domainLimits
  // Verbatim condition of the partial index.
  const found = rows(ctx.db.select({ domain }).from(domainLimits).where(sql`${severity} = 'suspend'`))
  return map(found, (all) => {
    const domains = all.map((row) => row.domain)
    ctx.memory.set(key, JSON.stringify(domains), limitsCacheSeconds)
    return new Set(domains)
  })
}

/** Whether the host or a parent domain is one of these. */
export function isAmong(domains: ReadonlySet<string>, host: string): boolean {
  return domains.size > 0 && namesAbove(host).some((name) => domains.has(name))
}
