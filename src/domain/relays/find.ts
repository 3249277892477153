import { eq, sql } from 'drizzle-orm'
import { first, map, oneRow, type Query, rows } from '../../db/query'
import { relays } from '../../db/schema'
import type { RelayId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'

export type Relay = typeof relays.$inferSelect

/** Limit on relays: each takes a delivery of every public status. */
export const mostRelays = 20

/** A page of relays, newest first. One statement. */
export function findRelays(ctx: Ctx, page: Page): Query<readonly Relay[]> {
  const { bounds, order } = idPage(page, sql`${relays.id}`)
  return map(rows(ctx.db.select().from(relays).where(bounds).orderBy(order)), newestFirst)
}

export function findRelay(ctx: Ctx, id: RelayId): Query<Relay | null> {
  return first(ctx.db.select().from(relays).where(eq(relays.id, id)))
}

/** Inboxes of the relays that receive public statuses. One statement, no row without relays. */
export function acceptedRelayInboxes(ctx: Ctx): Query<readonly string[]> {
  const found = ctx.db.select({ inboxUrl: relays.inboxUrl }).from(relays).where(sql`state = 'accepted'`)
  return map(rows(found), (all) => all.map(({ inboxUrl }) => inboxUrl))
}

export function isAcceptedRelay(ctx: Ctx, id: RelayId): Query<boolean> {
  const accepted = sql<number>`exists (select 1 from relays where id = ${id} and state = 'accepted')`
  const found = first(ctx.db.select({ accepted: accepted.as('accepted') }).from(oneRow))
  return map(found, (row) => row?.accepted === 1)
}
