import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { notBlockedOrMutedBy } from '../policy/blocks-and-mutes'
import { authorNotSuspended } from '../policy/visibility'

/**
 * The newest entries of a feed, rows `e` of a table with its condition, as rows (id, cursor).
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function scanFeed(page: Page, viewer: ViewerRef, now: Date, entries: SQL): BoundedSelection {
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`e.status_id`,
    candidates: (bounds) => sql`select e.status_id as cursor from ${entries} and ${bounds}`,
    shown: (candidates) => sql`select s.id as id, entry.cursor as cursor
      from (${candidates}) entry cross join statuses s
      where s.id = entry.cursor and ${authorNotSuspended()} and ${notBlockedOrMutedBy(viewer, now)}`,
  })
}
