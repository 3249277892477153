import { sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { markers } from '../../db/schema'
import { inList } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'

export const markedTimelines = ['home', 'notifications'] as const
export type MarkedTimeline = (typeof markedTimelines)[number]

export type MarkerRow = typeof markers.$inferSelect

/** The viewer's markers of the given timelines; timelines without a marker are absent. */
export function findMarkers(
  ctx: Ctx,
  viewer: ViewerRef,
  timelines: readonly MarkedTimeline[],
): Query<MarkerRow[]> {
  return rows(
    ctx.db
      .select()
      .from(markers)
      .where(sql`${markers.accountId} = ${viewer.id} and ${inList(markers.timeline, timelines)}`),
  )
}
