import { sql } from 'drizzle-orm'
import * as z from 'zod'
import {
  both,
  constant,
  first,
  jsonRows,
  limitTo,
  map,
  prefixedColumns,
  type Query,
  rows,
} from '../../db/query'
import { allowedDomains, domainLimits } from '../../db/schema'
import { domainSeverities } from '../../db/schema/federation'
import type { Ctx } from '../../ports/ctx'
import { readCachedList, readWholeList } from '../core/cached-lists'

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

export type ListedLimit = typeof domainLimits.$inferSelect

const flag = z.number().transform((value) => value === 1)

const Limit = z.tuple([
  z.string(),
  z.enum(domainSeverities),
  flag,
  flag,
  flag,
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.number().nullable(),
])

const Listed = Limit.transform(
  ([
    domain,
    severity,
    rejectMedia,
    rejectReports,
    obfuscate,
    publicComment,
    privateComment,
    id,
    createdAt,
    blocklistId,
  ]): ListedLimit => ({
    domain,
    severity,
    rejectMedia,
    rejectReports,
    obfuscate,
    publicComment,
    privateComment,
    id,
    createdAt: new Date(createdAt),
    blocklistId,
  }),
)

/**
 * Limits on servers in the order of their domains. A long list is cached, and may lack what was changed in the last
 * seconds.
 */
export function listedLimits(ctx: Ctx): Query<readonly ListedLimit[]> {
  return readCachedList(ctx, 'limits', Listed)
}

/** `listedLimits`, with none left out where their cache is missing. */
export function allLimits(ctx: Ctx): Promise<readonly ListedLimit[]> {
  return readWholeList(ctx, 'limits', Listed)
}

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
