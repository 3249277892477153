import { sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import type { BoundedSelection } from '../../db/selection'
import type { Ctx } from '../../ports/ctx'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { isTrendingCard } from '../trends/find-links'
import { allowedInPublicTimeline } from './public'

/** True if the page with this address is trending and so has a timeline. One statement. */
export function hasLinkTimeline(ctx: Ctx, url: string, now: Date): Query<boolean> {
  const found = ctx.db
    .select({ id: sql<number>`c.id`.as('id') })
    .from(sql`preview_cards c`)
    .where(sql`c.url = ${url} and ${isTrendingCard(now)}`)
  return map(first(found), (row) => row !== null)
}

/**
 * The newest public statuses that link to the page with this address, by discoverable authors, as rows (id,
 * cursor). Empty if the page has no timeline.
 */
export function linkSelection(viewer: ViewerRef, url: string, page: Page, now: Date): BoundedSelection {
  const card = sql`(select c.id from preview_cards c where c.url = ${url} and ${isTrendingCard(now)})`
  return scanIndex(page, {
    most: candidateLimit({ each: 4, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`l.status_id`,
    candidates: (bounds) => sql`select l.status_id as id, l.status_id as cursor from status_links l
      where l.card_id = ${card} and ${bounds}`,
    shown: (
      candidates,
    ) => sql`select s.id as id, s.id as cursor from (${candidates}) linked cross join statuses s
      where s.id = linked.id and s.visibility = 'public' and s.reblog_of_id is null
        and exists (select 1 from accounts found where found.id = s.account_id and found.discoverable = 1)
        and ${allowedInPublicTimeline(viewer, now)}`,
  })
}
