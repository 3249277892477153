import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** The viewer's favourites, newest favourite first, as rows (id, cursor); the cursor is the favourite's id. */
export function favouritesSelection(viewer: ViewerRef, page: Page): BoundedSelection {
  return interactionSelection(sql`favourites`, viewer, page)
}

/** The viewer's bookmarks, newest bookmark first, as rows (id, cursor); the cursor is the bookmark's id. */
export function bookmarksSelection(viewer: ViewerRef, page: Page): BoundedSelection {
  return interactionSelection(sql`bookmarks`, viewer, page)
}

function interactionSelection(interactions: SQL, viewer: ViewerRef, page: Page): BoundedSelection {
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`m.id`,
    candidates: (bounds) => sql`select m.status_id as id, m.id as cursor from ${interactions} m
      where m.account_id = ${viewer.id} and ${bounds}`,
    shown: (candidates) => sql`select s.id as id, met.cursor as cursor
      from (${candidates}) met cross join statuses s where s.id = met.id and ${visibleTo(viewer)}`,
  })
}
