import { type SQL, sql } from 'drizzle-orm'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** The viewer's favourites, newest favourite first, as rows (id, cursor); the cursor is the favourite's id. */
export function favouritesSelection(viewer: ViewerRef, page: Page): SQL {
  return interactionSelection(sql`favourites`, viewer, page)
}

/** The viewer's bookmarks, newest bookmark first, as rows (id, cursor); the cursor is the bookmark's id. */
export function bookmarksSelection(viewer: ViewerRef, page: Page): SQL {
  return interactionSelection(sql`bookmarks`, viewer, page)
}

function interactionSelection(interactions: SQL, viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`m.id`,
    (bounds) => sql`select s.id as id, m.id as cursor from ${interactions} m cross join statuses s
      where m.account_id = ${viewer.id} and s.id = m.status_id and ${bounds} and ${visibleTo(viewer)}`,
  )
}
