import { sql } from 'drizzle-orm'
import { execute, inList, type Query, rows } from '../../db/query'
import { markers } from '../../db/schema'
import { firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commitAndRead } from '../core/changes'
import { type Viewer, type ViewerRef, viewerById } from '../core/viewer'

/** Last read id by timeline. */
export type ReadPositions = ReadonlyMap<MarkedTimeline, number>

/**
 * Saves the read positions of `viewer` and returns the new markers, each with the next version.
 *
 * Of several writes at once the last one wins: Mastodon answers 409 to the others, which no client sends again.
 */
export async function updateMarkers(
  ctx: Ctx,
  viewer: Viewer,
  positions: ReadPositions,
): Promise<MarkerRow[]> {
  const updatedAt = ctx.clock.now()
  const changes = new Changes()
  for (const [timeline, lastReadId] of positions)
    changes.add(
      ctx.db
        .insert(markers)
        .values({ accountId: viewer.id, timeline, lastReadId, version: 1, updatedAt })
        .onConflictDoUpdate({
          target: [markers.accountId, markers.timeline],
          set: { lastReadId, version: sql`${markers.version} + 1`, updatedAt },
        }),
    )
  const { found } = await commitAndRead(
    ctx,
    changes,
    findMarkers(ctx, viewerById(viewer.id), [...positions.keys()]),
  )
  return found
}

/** Moves a marker of `viewer` up to `newest`, and never back; ids of times to come are those of now. */
export async function advanceMarker(
  ctx: Ctx,
  viewer: Viewer,
  { timeline, newest }: { readonly timeline: MarkedTimeline; readonly newest: number },
): Promise<void> {
  const last = Math.min(newest, firstIdAt(new Date(ctx.clock.now().getTime() + 1)))
  const [marker] = await execute(ctx.db, findMarkers(ctx, viewerById(viewer.id), [timeline]))
  if (last > (marker?.lastReadId ?? 0)) await updateMarkers(ctx, viewer, new Map([[timeline, last]]))
}

export const markedTimelines = ['home', 'notifications'] as const
type MarkedTimeline = (typeof markedTimelines)[number]

type MarkerRow = typeof markers.$inferSelect

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
