import { eq, getTableColumns, sql } from 'drizzle-orm'
import { first, inList, map, type Query, rows } from '../../../db/query'
import { blocklistEntries, blocklistExceptions, blocklists, domainLimits } from '../../../db/schema'
import type { Ctx } from '../../../ports/ctx'
import { idPage, newestFirst, type Page } from '../../core/page'
import { namesAbove } from '../../servers/limits'
import type { DomainLimitRow } from '../find-limits'

export type Blocklist = typeof blocklists.$inferSelect
export type BlocklistEntry = typeof blocklistEntries.$inferSelect
export type BlocklistException = typeof blocklistExceptions.$inferSelect

/** Most subscriptions: each is fetched every day. */
export const maxSubscriptions = 50

const hasPendingChanges = sql<boolean>`exists (select 1 from blocklist_entries e
  where e.blocklist_id = blocklists.id and e.state = 'pending')`.mapWith(Boolean)

/** A subscription to a published list. */
export interface Subscription extends Blocklist {
  readonly hasPendingChanges: boolean
}

const subscription = {
  ...getTableColumns(blocklists),
  hasPendingChanges: hasPendingChanges.as('has_pending_changes'),
}

/** Subscriptions, newest first. One statement. */
export function findSubscriptions(ctx: Ctx, page: Page): Query<readonly Subscription[]> {
  const { bounds, order } = idPage(page, sql`${blocklists.id}`)
  const found = ctx.db
    .select(subscription)
    .from(blocklists)
    .where(sql`url is not null and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

/** A subscription by id. */
export function subscriptionById(ctx: Ctx, id: number): Query<Subscription | null> {
  return first(
    ctx.db.select(subscription).from(blocklists).where(sql`${blocklists.id} = ${id} and url is not null`),
  )
}

export function blocklistById(ctx: Ctx, id: number): Query<Blocklist | null> {
  return first(ctx.db.select().from(blocklists).where(eq(blocklists.id, id)))
}

/** Pending changes of a subscription, newest first. */
export function findPendingChanges(
  ctx: Ctx,
  blocklistId: number,
  page: Page,
): Query<readonly BlocklistEntry[]> {
  const { bounds, order } = idPage(page, sql`${blocklistEntries.id}`)
  const found = ctx.db
    .select()
    .from(blocklistEntries)
    .where(sql`blocklist_id = ${blocklistId} and state = 'pending' and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

/** Every entry of a list. */
export function entriesOf(ctx: Ctx, blocklistId: number): Query<readonly BlocklistEntry[]> {
  return rows(ctx.db.select().from(blocklistEntries).where(eq(blocklistEntries.blocklistId, blocklistId)))
}

/** Limits on the domains and on their parents, by domain. A row for each name and each limit. */
export function limitsAround(
  ctx: Ctx,
  domains: readonly string[],
): Query<ReadonlyMap<string, DomainLimitRow>> {
  return limitsOn(ctx, [...new Set(domains.flatMap(namesAbove))])
}

/** Limits on exactly these domains, by domain. */
export function limitsOn(ctx: Ctx, domains: readonly string[]): Query<ReadonlyMap<string, DomainLimitRow>> {
  const found = ctx.db.select().from(domainLimits).where(inList(domainLimits.domain, domains))
  return map(rows(found), (limits) => new Map(limits.map((limit) => [limit.domain, limit])))
}

/** A page of the domains that no list limits, newest first. */
export function findExceptions(ctx: Ctx, page: Page): Query<readonly BlocklistException[]> {
  const { bounds, order } = idPage(page, sql`${blocklistExceptions.id}`)
  return map(rows(ctx.db.select().from(blocklistExceptions).where(bounds).orderBy(order)), newestFirst)
}

/** Domains that no list limits. */
export function exceptedDomains(ctx: Ctx): Query<ReadonlySet<string>> {
  const found = rows(ctx.db.select({ domain: blocklistExceptions.domain }).from(blocklistExceptions))
  return map(found, (list) => new Set(list.map(({ domain }) => domain)))
}

/** Whether the domain or a parent is excepted from lists. */
export function isExcepted(excepted: ReadonlySet<string>, domain: string): boolean {
  return namesAbove(domain).some((name) => excepted.has(name))
}
