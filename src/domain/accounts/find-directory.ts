import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { ViewerRef } from '../core/viewer'
import { mayBeListed, mayBeRecommended } from '../policy/recommending'

/** Which part of the directory. */
export interface DirectoryPage {
  /** Who posted last, or who became known last, comes first. */
  readonly order: 'active' | 'new'
  readonly local: boolean
  readonly limit: number
  readonly offset: number
}

/** What comes before a page is looked at as well, so it ends somewhere: sooner for strangers. */
const mostLookedAt = { strangers: 700, members: 6_000 }

/** Those who want to be found, as far as the viewer may meet them, as a selection (id, cursor). */
export function selectDirectory(viewer: ViewerRef, page: DirectoryPage, now: Date): SQL {
  const { local, limit, offset } = page
  const most = viewer.signedIn ? mostLookedAt.members : mostLookedAt.strangers
  // The newest of our own people are few among all accounts: their users lead to them.
  const newOwn = local && page.order === 'new'
  const source = newOwn ? sql`users u cross join accounts a on a.id = u.account_id` : sql`accounts a`
  const order =
    page.order === 'active' ? sql`a.last_status_at desc` : newOwn ? sql`u.account_id desc` : sql`a.id desc`
  // The order stands inside: the query around it keeps it.
  const candidates = sql`select a.* from ${source} where ${newOwn ? sql`1` : mayBeListed}
    and ${local && !newOwn ? sql`a.domain is null` : sql`1`} order by ${order} ${limitTo(most)}`
  return sql`select id, -row_number() over () as cursor from (
    select a.id as id from (${candidates}) a where ${mayBeRecommended(viewer, now)}
    ${limitTo(offset > most ? 0 : limit)} offset ${Math.min(offset, most)})`
}
