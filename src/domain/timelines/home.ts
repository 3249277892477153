import { sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import type { Page } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { scanFeed } from './scan-feed'

/**
 * The newest entries of the viewer's home feed: own and followed accounts' statuses, as rows (id, cursor).
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function homeSelection(viewer: ViewerRef, page: Page, now: Date): BoundedSelection {
  return scanFeed(page, viewer, now, sql`home_entries e where e.account_id = ${viewer.id}`)
}
