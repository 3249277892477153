import { eq, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { failingHosts } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import type { CourierState } from '../../ports/federation'
import { Changes, commit } from '../core/changes'

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
