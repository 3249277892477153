import { sql } from 'drizzle-orm'
import { both, constant, first, map, type Query } from '../../db/query'
import { allowedDomains, domainLimits } from '../../db/schema'
import { jsonRows, prefixedColumns } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'

/** Moderators' limit on a server. */
export type DomainLimit = Pick<
  typeof domainLimits.$inferSelect,
  'domain' | 'severity' | 'rejectMedia' | 'rejectReports' | 'createdAt'
>

const mostLabels = 10

/** Strictest limit on `domain` or on a parent domain. One statement, a row for each part of the name. */
export function findDomainLimit(ctx: Ctx, domain: string): Query<DomainLimit | null> {
  const { domain: name, severity, rejectMedia, rejectReports, createdAt } = domainLimits
  return first(
    ctx.db
      .select(prefixedColumns('l', { domain: name, severity, rejectMedia, rejectReports, createdAt }))
      .from(sql`${jsonRows(namesAbove(domain))} cross join ${domainLimits} on ${name} = item.value`)
      .orderBy(
        sql`case ${severity} when 'suspend' then 0 when 'silence' then 1 else 2 end, ${rejectMedia} + ${rejectReports} desc`,
      ),
  )
}

/** Whether federation with this server is allowed: it is not suspended and, in limited federation mode, listed. */
export function mayContact(ctx: Ctx, domain: string): Query<boolean> {
  const decided = both(findDomainLimit(ctx, domain), isAllowedDomain(ctx, domain))
  return map(decided, ([limit, allowed]) => limit?.severity !== 'suspend' && allowed)
}

/** Whether the server is on the allow-list, if federation is limited to it. */
export function isAllowedDomain(ctx: Ctx, domain: string): Query<boolean> {
  if (!ctx.config.federation.limited) return constant(true)
  const listed = ctx.db
    .select(prefixedColumns('d', { domain: allowedDomains.domain }))
    .from(
      sql`${jsonRows(namesAbove(domain))} cross join ${allowedDomains} on ${allowedDomains.domain} = item.value`,
    )
  return map(first(listed), (row) => row !== null)
}

/** Parent domains including itself: for a.b.c these are a.b.c, b.c and c. */
export function namesAbove(domain: string): readonly string[] {
  const labels = domain.toLowerCase().replace(/:\d+$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.')).slice(-mostLabels)
}

/** Seconds that an isolate caches the limits on servers. */
export const limitsCacheSeconds = 60

const epochKey = 'epoch of domain limits'

/** Part of the keys under which an isolate caches values derived from limits on servers. */
export function limitsEpoch({ memory }: Pick<Ctx, 'memory'>): string {
  return memory.get(epochKey) ?? ''
}

/** Invalidates this isolate's cache of the limits; other isolates follow within `limitsCacheSeconds`. */
export function invalidateLimits({ memory, ids }: Pick<Ctx, 'memory' | 'ids'>): void {
  memory.set(epochKey, String(ids.next()), limitsCacheSeconds)
}
