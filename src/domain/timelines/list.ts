import { type SQL, sql } from 'drizzle-orm'
import type { ListId } from '../../lib/ids'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { notBlockedOrMutedBy } from '../policy/blocks-and-mutes'
import { authorNotSuspended } from '../policy/visibility'

/**
 * The newest statuses by members of the viewer's list, as rows (id, cursor); empty for another account's list.
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function listSelection(
  viewer: ViewerRef,
  { id, now }: { readonly id: ListId; readonly now: Date },
  page: Page,
): SQL {
  return pageSql(
    page,
    sql`e.status_id`,
    (bounds) => sql`
    select s.id as id, e.status_id as cursor
    from list_entries e cross join statuses s on s.id = e.status_id
    where e.list_id = (select l.id from lists l where l.id = ${id} and l.account_id = ${viewer.id}) and ${bounds}
      and ${authorNotSuspended()} and ${notBlockedOrMutedBy(viewer, now)}`,
  )
}
