import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { ViewerRef } from '../core/viewer'
import { mayBeListed, mayBeRecommended } from '../policy/recommending'

/** Page of the profile directory. */
export interface DirectoryPage {
  /** Latest status first, or latest known account first. */
  readonly order: 'active' | 'new'
  readonly local: boolean
  readonly limit: number
  readonly offset: number
}

/** Rows before a page are read as well, hence the bound: lower for anonymous viewers. */
const maxScanned = { anonymous: 700, members: 6_000 }

/** Local accounts that may be listed, latest status first: rows of `accounts`, in the order of an index. */
export function latestListedHere(most: number): SQL {
  return sql`select a.* from accounts a where ${mayBeListed} and a.domain is null
    order by a.last_status_at desc ${limitTo(most)}`
}

/** Discoverable accounts the viewer may be shown, as a selection (id, cursor). */
export function selectDirectory(viewer: ViewerRef, page: DirectoryPage, now: Date): SQL {
  const { local, limit, offset } = page
  const most = viewer.signedIn ? maxScanned.members : maxScanned.anonymous
  // New local accounts are few among all accounts: the `users` table leads to them.
  const newOwn = local && page.order === 'new'
  const source = newOwn ? sql`users u cross join accounts a on a.id = u.account_id` : sql`accounts a`
  const order =
    page.order === 'active' ? sql`a.last_status_at desc` : newOwn ? sql`u.account_id desc` : sql`a.id desc`
  // Ordered in the subquery: the outer query keeps the order.
  const candidates = sql`select a.* from ${source} where ${newOwn ? sql`1` : mayBeListed}
    and ${local && !newOwn ? sql`a.domain is null` : sql`1`} order by ${order} ${limitTo(most)}`
  return sql`select id, -row_number() over () as cursor from (
    select a.id as id from (${candidates}) a where ${mayBeRecommended(viewer, now)}
    ${limitTo(offset > most ? 0 : limit)} offset ${Math.min(offset, most)})`
}
