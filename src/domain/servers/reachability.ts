import { eq, gt, isNull, sql } from 'drizzle-orm'
import { execute, first, inList, map, type Query, rows } from '../../db/query'
import { failingHosts, inboxes, instances } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { CourierState } from '../../ports/federation'
import { type AuditAction, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

/** Leaves inboxes out of later deliveries, until their server makes contact (`touchInstance`). */
export async function markUnreachable(ctx: Ctx, urls: readonly string[]): Promise<void> {
  const mark = ctx.db
    .update(inboxes)
    .set({ unreachableSince: ctx.clock.now() })
    .where(sql`${inList(inboxes.url, urls)} and ${isNull(inboxes.unreachableSince)}`)
  await commit(ctx, new Changes().add(mark))
}

export type FailingHost = typeof failingHosts.$inferSelect

const mostListed = 40

/** Records that deliveries to a server fail, or did at the last attempt: one row written. */
export async function recordFailingHost(ctx: Ctx, host: string, state: CourierState): Promise<void> {
  const now = ctx.clock.now()
  const row = {
    failingSince: state.failingSince ?? now,
    lastSuccessAt: state.lastSuccessAt,
    error: state.lastError,
    failures: state.failures,
    waiting: state.pending,
    oldestAt: state.oldestAt,
    nextAt: state.nextAt,
    unreachable: state.unreachable,
    reportedAt: now,
  }
  const record = ctx.db
    .insert(failingHosts)
    .values({ host, ...row })
    .onConflictDoUpdate({ target: failingHosts.host, set: row })
  await commit(ctx, new Changes().add(record))
}

/** Forgets that a server failed: it took a delivery, made contact, or nothing waits for it. */
export async function clearFailingHost(ctx: Ctx, host: string): Promise<void> {
  await commit(ctx, new Changes().add(ctx.db.delete(failingHosts).where(eq(failingHosts.host, host))))
}

/** The next failing servers behind `after`, by their names. */
export function findFailingHosts(
  ctx: Ctx,
  after: string,
): Query<{ readonly hosts: readonly FailingHost[]; readonly next: string | null }> {
  const { host } = failingHosts
  const page = ctx.db
    .select()
    .from(failingHosts)
    .where(sql`${host} > ${after}`)
    .orderBy(host)
    .limit(mostListed)
  return map(rows(page), (hosts) => ({
    hosts,
    next: hosts.length < mostListed ? null : (hosts.at(-1)?.host ?? null),
  }))
}

/** Report of couriers about a server; null where deliveries to it work, or nothing was delivered. */
export function failingHost(ctx: Ctx, host: string): Query<FailingHost | null> {
  return first(ctx.db.select().from(failingHosts).where(eq(failingHosts.host, host)))
}

/** Inboxes of one page; each host among them is one call of an object, of fifty in an invocation. */
const inboxesPerPage = 40

export interface CourierOf extends CourierState {
  readonly host: string
}

/** Couriers with pending or failing deliveries, of the hosts of the next inboxes after `after`. */
export async function findCouriers(
  ctx: Ctx,
  after: number,
): Promise<{ readonly couriers: readonly CourierOf[]; readonly next: number | null }> {
  const { id, url } = inboxes
  const page = ctx.db.select({ id, url }).from(inboxes).where(gt(id, after)).orderBy(id).limit(inboxesPerPage)
  const found = await execute(ctx.db, rows(page))
  const hosts = [...new Set(found.flatMap((inbox) => hostOf(inbox.url) ?? []))]
  const states = await Promise.all(
    hosts.map(async (host) => ({ host, state: await ctx.courierControl.state(host) })),
  )
  return {
    couriers: states.flatMap(({ host, state }) => (state === null ? [] : { host, ...state })),
    next: found.length < inboxesPerPage ? null : (found.at(-1)?.id ?? null),
  }
}

/**
 * Retries the deliveries to a server at once, also where they had ended after a week of failures. Returns their number.
 */
export async function retryCourier(ctx: Ctx, moderator: Moderator, host: string): Promise<number> {
  // Addresses that begin with this host: '0' comes after '/'.
  const reachable = ctx.db
    .update(inboxes)
    .set({ unreachableSince: null })
    .where(sql`url > ${`https://${host}/`} and url < ${`https://${host}0`} and unreachable_since is not null`)
  const count = await ctx.courierControl.retry(host)
  await record(ctx, moderator, { action: 'retry', host, count }, new Changes().add(reachable))
  return count
}

/** Gives up the deliveries that wait for a server. Returns their number. */
export async function dropCourier(ctx: Ctx, moderator: Moderator, host: string): Promise<number> {
  const count = await ctx.courierControl.drop(host)
  await record(ctx, moderator, { action: 'drop', host, count }, new Changes())
  return count
}

async function record(
  ctx: Ctx,
  moderator: Moderator,
  { action, host, count }: { readonly action: AuditAction; readonly host: string; readonly count: number },
  changes: Changes,
): Promise<void> {
  const target = { type: 'deliveries' as const, id: null, label: host }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action, target, after: { count } }))
}

interface Contact {
  readonly domain: string
  /** Host of its actors and inboxes. */
  readonly host: string
}

/** Records that a server contacted this one: written at most once a day. Its inboxes count as reachable again. */
export async function touchInstance(ctx: Ctx, { domain, host }: Contact): Promise<void> {
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db
      .update(instances)
      .set({ lastSeenAt: now })
      .where(sql`domain = ${domain} and coalesce(last_seen_at, 0) <= ${now.getTime() - dayMilliseconds}`),
    // Addresses that begin with this host: '0' comes after '/'.
    ctx.db
      .update(inboxes)
      .set({ unreachableSince: null })
      .where(
        sql`url > ${`https://${host}/`} and url < ${`https://${host}0`} and unreachable_since is not null`,
      ),
  )
  await commit(ctx, changes)
}
