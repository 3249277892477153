import { eq, getTableColumns, sql } from 'drizzle-orm'
import { execute, first, map, type Query, rows } from '../../db/query'
import { allowedDomains, domainLimits, domainSuspensions } from '../../db/schema'
import { inList } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
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

/** Limits by domain; suspensions in progress with how many accounts are done, and of how many. */
export function listLimits(ctx: Ctx) {
  const { accountsCount, accountsDone } = domainSuspensions
  const listed = ctx.db
    .select({ ...getTableColumns(domainLimits), accountsCount, accountsDone })
    .from(domainLimits)
    .leftJoin(domainSuspensions, eq(domainSuspensions.domain, domainLimits.domain))
    .orderBy(domainLimits.domain)
  return execute(ctx.db, rows(listed))
}

/** Domains on the allow-list. */
export async function listAllowed(ctx: Ctx): Promise<readonly string[]> {
  const found = rows(ctx.db.select({ domain: allowedDomains.domain }).from(allowedDomains))
  return (await execute(ctx.db, found)).map(({ domain }) => domain).sort()
}
