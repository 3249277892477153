import { sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import type { ListId } from '../../lib/ids'
import type { Page } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { scanFeed } from './scan-feed'

/**
 * The newest statuses by members of the viewer's list, as rows (id, cursor); empty for another account's list.
 *
 * Entries were written under the visibility rule; the loader drops those no longer visible.
 */
export function listSelection(
  viewer: ViewerRef,
  { id, now }: { readonly id: ListId; readonly now: Date },
  page: Page,
): BoundedSelection {
  const list = sql`(select l.id from lists l where l.id = ${id} and l.account_id = ${viewer.id})`
  return scanFeed(page, viewer, now, sql`list_entries e where e.list_id = ${list}`)
}
