import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { trendPublishers } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'

/** A host of linked pages, with the decision of moderators. */
export type PublisherFacts = typeof trendPublishers.$inferSelect

/** A page of hosts, newest first. One statement. */
export function findPublishers(ctx: Ctx, page: Page): Query<PublisherFacts[]> {
  const { bounds, order } = idPage(page, sql`${trendPublishers.id}`)
  return map(rows(ctx.db.select().from(trendPublishers).where(bounds).orderBy(order)), newestFirst)
}

/** The host with this id, if any. */
export function findPublisher(ctx: Ctx, id: number): Query<PublisherFacts[]> {
  return rows(ctx.db.select().from(trendPublishers).where(sql`${trendPublishers.id} = ${id}`))
}
