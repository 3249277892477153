import { sql } from 'drizzle-orm'
import { both, first, known, map, type Query } from '../../db/query'
import { allowedDomains, domainLimits } from '../../db/schema'
import { each, named } from '../../db/sql'
import type { Ctx } from '../../platform/ports'

/** What moderators decided about a server. */
export type DomainLimit = Pick<
  typeof domainLimits.$inferSelect,
  'domain' | 'severity' | 'rejectMedia' | 'rejectReports' | 'createdAt'
>

const mostLabels = 10

/** The severest limit on `domain` or on what it is a subdomain of. One statement, a row for each part of the name. */
export function limitOf(ctx: Ctx, domain: string): Query<DomainLimit | null> {
  const { domain: name, severity, rejectMedia, rejectReports, createdAt } = domainLimits
  return first(
    ctx.db
      .select(named('l', { domain: name, severity, rejectMedia, rejectReports, createdAt }))
      .from(sql`${each(namesAbove(domain))} cross join ${domainLimits} on ${name} = item.value`)
      .orderBy(sql`case ${severity} when 'suspend' then 0 when 'silence' then 1 else 2 end`),
  )
}

/** May this server be spoken with? Not when it is suspended, nor unlisted where only listed ones are. */
export function mayContact(ctx: Ctx, domain: string): Query<boolean> {
  const decided = both(limitOf(ctx, domain), isAllowed(ctx, domain))
  return map(decided, ([limit, allowed]) => limit?.severity !== 'suspend' && allowed)
}

/** Is the server on the list, where only listed ones are spoken with? */
export function isAllowed(ctx: Ctx, domain: string): Query<boolean> {
  if (!ctx.config.federation.limited) return known(true)
  const listed = ctx.db
    .select(named('d', { domain: allowedDomains.domain }))
    .from(
      sql`${each(namesAbove(domain))} cross join ${allowedDomains} on ${allowedDomains.domain} = item.value`,
    )
  return map(first(listed), (row) => row !== null)
}

/** For a.b.c those of a.b.c, b.c and c. */
function namesAbove(domain: string): readonly string[] {
  const labels = domain.toLowerCase().replace(/:\d+$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.')).slice(-mostLabels)
}

/** How long an isolate relies on what it knows of the limits on servers. */
export const limitsKeptSeconds = 60

const epochKey = 'epoch of domain limits'

/** Part of the keys under which an isolate remembers what follows from limits on servers. */
export function limitsEpoch({ memory }: Pick<Ctx, 'memory'>): string {
  return memory.recall(epochKey) ?? ''
}

/** Makes this isolate forget what it knew of the limits; others do within `limitsKeptSeconds`. */
export function forgetLimits({ memory, ids }: Pick<Ctx, 'memory' | 'ids'>): void {
  memory.remember(epochKey, String(ids.next()), limitsKeptSeconds)
}
