import type { Marker } from '../../contract/entities/marker'
import type { markers } from '../../db/schema'
import { timestamp } from './time'

type MarkerRow = typeof markers.$inferSelect

/** Presents markers by timeline name. */
export function presentMarkers(rows: readonly MarkerRow[]): Partial<Record<MarkerRow['timeline'], Marker>> {
  return Object.fromEntries(
    rows.map(({ timeline, lastReadId, version, updatedAt }) => [
      timeline,
      { last_read_id: String(lastReadId), version, updated_at: timestamp(updatedAt) },
    ]),
  )
}
