import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, limitTo, map, type Query, rows } from '../../db/query'
import { domainLimits, failingHosts, instances } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/** Remote server as moderators see it. */
export interface KnownServer {
  readonly domain: string
  readonly software: string | null
  readonly softwareVersion: string | null
  readonly lastSeenAt: Date | null
  readonly accountsCount: number
  /** Follows by local accounts. */
  readonly followingCount: number
  /** Follows of local accounts. */
  readonly followersCount: number
  readonly severity: (typeof domainLimits.$inferSelect)['severity'] | null
  readonly failingSince: Date | null
}

const Totals = z.tuple([z.number(), z.number(), z.number()]).nullable()

const columns = {
  domain: instances.domain,
  software: instances.software,
  softwareVersion: instances.softwareVersion,
  lastSeenAt: instances.lastSeenAt,
  severity: domainLimits.severity,
  failingSince: failingHosts.failingSince,
  // The latest day holds the totals.
  totals: sql<string | null>`(select json_array(d.all_accounts, d.all_follows, d.all_followers)
    from domain_days d where d.domain = instances.domain order by d.day desc ${limitTo(1)})`.as('totals'),
}

type Row = Omit<KnownServer, 'accountsCount' | 'followingCount' | 'followersCount'> & {
  readonly totals: string | null
}

function serverOf({ totals, ...row }: Row): KnownServer {
  const [accountsCount, followingCount, followersCount] = Totals.parse(JSON.parse(totals ?? 'null')) ?? [
    0, 0, 0,
  ]
  return { ...row, accountsCount, followingCount, followersCount }
}

/** Known servers behind `after` whose domains begin with `prefix`, by their names. One statement, four rows a server. */
export function findKnownServers(
  ctx: Ctx,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string; readonly limit: number },
): Query<readonly KnownServer[]> {
  const begins =
    prefix === ''
      ? sql`1`
      : sql`${instances.domain} >= ${prefix} and ${instances.domain} < ${`${prefix}\u{10ffff}`}`
  const found = ctx.db
    .select(columns)
    .from(instances)
    .leftJoin(domainLimits, eq(domainLimits.domain, instances.domain))
    .leftJoin(failingHosts, eq(failingHosts.host, instances.domain))
    .where(sql`${begins} and ${instances.domain} > ${after}`)
    .orderBy(sql`${instances.domain} ${limitTo(limit)}`)
  return map(rows(found), (servers) => servers.map(serverOf))
}

/** A known server; null where none of its accounts was ever seen. */
export function knownServer(ctx: Ctx, domain: string): Query<KnownServer | null> {
  const found = ctx.db
    .select(columns)
    .from(instances)
    .leftJoin(domainLimits, eq(domainLimits.domain, instances.domain))
    .leftJoin(failingHosts, eq(failingHosts.host, instances.domain))
    .where(eq(instances.domain, domain))
  return map(first(found), (row) => (row === null ? null : serverOf(row)))
}
