import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { markers } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerRefOf } from '../core/viewer'
import { findMarkers, type MarkedTimeline, type MarkerRow } from './find'

/** Last read id by timeline. */
export type ReadPositions = ReadonlyMap<MarkedTimeline, number>

/**
 * Saves the read positions of `viewer` and returns the new markers.
 *
 * A marker's version grows by one with each write. When another write came in between, nothing is written and the
 * error is `Conflict`: the client reads again and decides.
 */
export async function updateMarkers(
  ctx: Ctx,
  viewer: Viewer,
  positions: ReadPositions,
): Promise<MarkerRow[]> {
  const current = await execute(ctx.db, findMarkers(ctx, viewerRefOf(viewer), [...positions.keys()]))
  const moved = planMarkers(viewer, current, { places: positions, now: ctx.clock.now() })
  await saveMarkers(ctx, moved)
  return moved
}

/** The markers after the update, each with the next version. */
export function planMarkers(
  viewer: Viewer,
  current: readonly MarkerRow[],
  to: { readonly places: ReadPositions; readonly now: Date },
): MarkerRow[] {
  return [...to.places].map(([timeline, lastReadId]) => {
    const before = current.find((marker) => marker.timeline === timeline)?.version ?? 0
    return { accountId: viewer.id, timeline, lastReadId, version: before + 1, updatedAt: to.now }
  })
}

/** Writes planned markers, all or none; `Conflict` when one of them is not the next version any more. */
export async function saveMarkers(ctx: Ctx, planned: readonly MarkerRow[]): Promise<void> {
  const changes = new Changes()
  for (const marker of planned) {
    const { accountId, timeline, version, lastReadId, updatedAt } = marker
    changes.require(
      sql`coalesce((select version from markers where account_id = ${accountId} and timeline = ${timeline}), 0)
        = ${version - 1}`,
      new Conflict('Conflict during update, please try again'),
    )
    changes.add(
      ctx.db
        .insert(markers)
        .values(marker)
        .onConflictDoUpdate({
          target: [markers.accountId, markers.timeline],
          set: { lastReadId, version, updatedAt },
        }),
    )
  }
  await commit(ctx, changes)
}
