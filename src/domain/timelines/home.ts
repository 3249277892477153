import { type SQL, sql } from 'drizzle-orm'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { notBlockedOrMutedBy } from '../policy/blocks-and-mutes'
import { authorNotSuspended } from '../policy/visibility'

/**
 * The newest entries of the viewer's home feed: own and followed accounts' statuses, as rows (id, cursor).
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function homeSelection(viewer: ViewerRef, page: Page, now: Date): SQL {
  return pageSql(
    page,
    sql`e.status_id`,
    (bounds) => sql`
    select s.id as id, e.status_id as cursor
    from home_entries e join statuses s on s.id = e.status_id
    where e.account_id = ${viewer.id} and ${bounds}
      and ${authorNotSuspended()} and ${notBlockedOrMutedBy(viewer, now)}`,
  )
}
