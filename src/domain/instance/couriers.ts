import { gt, sql } from 'drizzle-orm'
import { execute, rows } from '../../db/query'
import { inboxes } from '../../db/schema'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { CourierState } from '../../ports/federation'
import { type AuditAction, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

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
