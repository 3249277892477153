import { eq, gt, type SQL, sql } from 'drizzle-orm'
import { first, inList, limitTo, map, type Query, rows } from '../../db/query'
import { allowedDomains, domainLimits, domainSuspensions } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
import { namesAbove } from '../servers/limits'

export type DomainLimitRow = typeof domainLimits.$inferSelect
export type AllowedDomainRow = typeof allowedDomains.$inferSelect

/** A page of limits on servers, newest first. One statement. */
export function findLimits(ctx: Ctx, page: Page): Query<readonly DomainLimitRow[]> {
  const { bounds, order } = idPage(page, sql`${domainLimits.id}`)
  return map(rows(ctx.db.select().from(domainLimits).where(bounds).orderBy(order)), newestFirst)
}

/** A page of the allow-list, newest first. One statement. */
export function findAllowedDomains(ctx: Ctx, page: Page): Query<readonly AllowedDomainRow[]> {
  const { bounds, order } = idPage(page, sql`${allowedDomains.id}`)
  return map(rows(ctx.db.select().from(allowedDomains).where(bounds).orderBy(order)), newestFirst)
}

/** A limit by its id. */
export function limitById(ctx: Ctx, id: number): Query<DomainLimitRow | null> {
  return first(ctx.db.select().from(domainLimits).where(eq(domainLimits.id, id)))
}

/** Limit on exactly this domain. */
export function limitOn(ctx: Ctx, domain: string): Query<DomainLimitRow | null> {
  return first(ctx.db.select().from(domainLimits).where(eq(domainLimits.domain, domain)))
}

/** Limits on a domain and its parents, the nearest first. */
export function limitsAbove(ctx: Ctx, domain: string): Query<readonly DomainLimitRow[]> {
  const found = rows(
    ctx.db
      .select()
      .from(domainLimits)
      .where(inList(domainLimits.domain, namesAbove(domain))),
  )
  return map(found, (limits) => limits.toSorted((a, b) => b.domain.length - a.domain.length))
}

/** An entry of the allow-list by its id. */
export function allowedById(ctx: Ctx, id: number): Query<AllowedDomainRow | null> {
  return first(ctx.db.select().from(allowedDomains).where(eq(allowedDomains.id, id)))
}

/** Suspensions in progress of one part of `findSuspensions`. */
const suspensionsPerPart = 390

/** Suspensions in progress behind a domain, by domain, with how many accounts are done, and of how many. One statement. */
export function findSuspensions(ctx: Ctx, after: string) {
  const { domain, accountsCount, accountsDone } = domainSuspensions
  const part = ctx.db
    .select({ domain, accountsCount, accountsDone })
    .from(domainSuspensions)
    .where(gt(domain, after))
    .orderBy(sql`${domain} ${limitTo(suspensionsPerPart)}`)
  return map(rows(part), (suspensions) => ({
    suspensions,
    next: suspensions.length < suspensionsPerPart ? null : (suspensions.at(-1)?.domain ?? null),
  }))
}

/**
 * Domains of servers ever met that are `domain` or below it, as rows (name).
 *
 * A range of an index: a row for each domain found, whatever else is known.
 */
export function domainsUnder(domain: string): SQL {
  const reversed = domain.split('.').toReversed().join('.')
  // The slash is the character behind the dot.
  return sql`select name from known_domains where reversed = ${reversed}
    union all
    select name from known_domains where reversed > ${`${reversed}.`} and reversed < ${`${reversed}/`}`
}
