import { eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { combineQueries, execute, first, map, type Query, rows } from '../../db/query'
import { allowedDomains, domainLimits, domainSuspensions } from '../../db/schema'
import { inList, limitTo } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
import { namesAbove } from '../instance/limits'

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

/** Limits, and domains on the allow-list, of one part of `listDomains`. */
const domainsPerPart = 180

/**
 * Limits and the allow-list behind a domain, by domain; suspensions in progress with how many accounts are done, and of
 * how many. `next` is the domain that the next part begins behind, null where there is none.
 */
export async function listDomains(ctx: Ctx, after: string) {
  const { accountsCount, accountsDone } = domainSuspensions
  const limits = ctx.db
    .select({ ...getTableColumns(domainLimits), accountsCount, accountsDone })
    .from(domainLimits)
    .leftJoin(domainSuspensions, eq(domainSuspensions.domain, domainLimits.domain))
    .where(gt(domainLimits.domain, after))
    .orderBy(sql`${domainLimits.domain} ${limitTo(domainsPerPart)}`)
  const allowed = ctx.db
    .select({ domain: allowedDomains.domain })
    .from(allowedDomains)
    .where(gt(allowedDomains.domain, after))
    .orderBy(sql`${allowedDomains.domain} ${limitTo(domainsPerPart)}`)
  const found = await execute(ctx.db, combineQueries({ limits: rows(limits), allowed: rows(allowed) }))
  const ends = [found.limits, found.allowed].flatMap((part) =>
    part.length < domainsPerPart ? [] : (part.at(-1)?.domain ?? []),
  )
  // A full part may go on; the other list is told no further than it is.
  const next = ends.toSorted()[0] ?? null
  const isOnPage = ({ domain }: { readonly domain: string }) => next === null || domain <= next
  return {
    limits: found.limits.filter(isOnPage),
    allowed: found.allowed.filter(isOnPage).map(({ domain }) => domain),
    next,
  }
}
