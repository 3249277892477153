import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, map, type Query } from '../../db/query'
import { isTrendingCard } from '../trends/find-links'
import type { ViewerRef } from '../viewer'
import { type Page, pageSql } from './page'
import { shownInPublic } from './public'

/** Does the page with this address trend, so that it has a timeline? One statement. */
export function hasLinkTimeline(ctx: Ctx, url: string, now: Date): Query<boolean> {
  const found = ctx.db
    .select({ id: sql<number>`c.id`.as('id') })
    .from(sql`preview_cards c`)
    .where(sql`c.url = ${url} and ${isTrendingCard(now)}`)
  return map(first(found), (row) => row !== null)
}

/**
 * The newest public statuses that link to the page with this address, as rows (id, cursor), by authors who want to
 * be found. None where the page has no timeline.
 */
export function linkSelection(viewer: ViewerRef, url: string, page: Page, now: Date): SQL {
  return pageSql(
    page,
    sql`l.status_id`,
    (bounds) => sql`
    select s.id as id, s.id as cursor
    from preview_cards c cross join status_links l cross join statuses s
    where c.url = ${url} and ${isTrendingCard(now)} and l.card_id = c.id and ${bounds} and s.id = l.status_id
      and s.visibility = 'public' and s.reblog_of_id is null
      and exists (select 1 from accounts found where found.id = s.account_id and found.discoverable = 1)
      and ${shownInPublic(viewer, now)}`,
  )
}
