import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import type { AccountId } from '../../lib/ids'
import { accountsPage } from '../core/account-page'
import { candidateLimit, type Page, pageSql, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { authorNotBlockedOrMuted } from '../policy/blocks-and-mutes'

// Every selection answers rows (id, cursor), newest first; the cursor is the id of the row that makes the relation.

/** Who the viewer blocks. */
export function blockedAccounts(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`b.id`,
    (bounds) => sql`select b.target_account_id as id, b.id as cursor from blocks b
      where b.account_id = ${viewer.id} and ${active(sql`b.target_account_id`)} and ${bounds}`,
  )
}

/** Who the viewer mutes at `now`. */
export function mutedAccounts(viewer: ViewerRef, page: Page, now: Date): SQL {
  return pageSql(
    page,
    sql`m.id`,
    (bounds) => sql`select m.target_account_id as id, m.id as cursor from mutes m
      where m.account_id = ${viewer.id} and (m.expires_at is null or m.expires_at > ${now.getTime()})
        and ${active(sql`m.target_account_id`)} and ${bounds}`,
  )
}

/** Who asks to follow the viewer. */
export function requestersOf(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`q.id`,
    (bounds) => sql`select q.account_id as id, q.id as cursor from follow_requests q
      where q.target_account_id = ${viewer.id} and ${active(sql`q.account_id`)} and ${bounds}`,
  )
}

/** Whom the viewer features on their profile. */
export function endorsedAccounts(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`e.id`,
    (bounds) => sql`select e.target_account_id as id, e.id as cursor from endorsements e
      where e.account_id = ${viewer.id} and ${active(sql`e.target_account_id`)} and ${bounds}`,
  )
}

/** What a list of somebody's relations depends on. */
interface RelationQuery {
  readonly viewer: ViewerRef
  /** Whose relations these are: an id, or a sub-select of one. */
  readonly id: AccountId | SQL
  readonly now: Date
}

/** Whom `owner` features, as far as the viewer is shown it: in the order of their ids where they are very many. */
export function endorsementsOf({ viewer, id: owner, now }: RelationQuery, page: Page): BoundedSelection {
  return accountsPage(page, {
    table: 'endorsements',
    person: 'target_account_id',
    where: sql`m.account_id = ${owner}`,
    shown: sql`${ownerOpen(viewer, owner)} and ${active(sql`met.id`)}
      and ${isListedFor({ viewer, id: owner, now }, 'met.id')}`,
  })
}

/** Who follows `owner`, as far as the viewer is shown it; nobody where the owner hides it. */
export function followersOf(reading: RelationQuery, page: Page): BoundedSelection {
  return followPage(reading, page, { of: 'target_account_id', person: 'account_id' })
}

/** Whom `owner` follows, under the same rules. */
export function followingOf(reading: RelationQuery, page: Page): BoundedSelection {
  return followPage(reading, page, { of: 'account_id', person: 'target_account_id' })
}

type Side = 'account_id' | 'target_account_id'

function followPage(
  { viewer, id: owner, now }: RelationQuery,
  page: Page,
  side: { readonly of: Side; readonly person: Side },
): BoundedSelection {
  const [of, person] = [sql.raw(side.of), sql.raw(side.person)]
  return scanIndex(page, {
    most: candidateLimit({ each: 2, limit: page.limit, of: 'people' }),
    of: 'accounts',
    cursor: sql`f.id`,
    candidates: (bounds) => sql`select f.${person} as id, f.id as cursor from follows f
      where f.${of} = ${owner} and ${bounds}`,
    shown: (candidates) => sql`select met.id as id, met.cursor as cursor from (${candidates}) met
      where ${ownerOpen(viewer, owner)} and ${collectionsOpen(viewer, owner)} and ${active(sql`met.id`)}
        and ${isListedFor({ viewer, id: owner, now }, 'met.id')}`,
  })
}

/** Suspended accounts stand in no list. */
function active(account: SQL): SQL {
  return sql`not exists (select 1 from accounts listed where listed.id = ${account} and listed.suspended_at is not null)`
}

/** The owner is not suspended and does not block the viewer. */
function ownerOpen(viewer: ViewerRef, owner: AccountId | SQL): SQL {
  return sql`(${active(sql`${owner}`)} and not exists (select 1 from blocks refusing
    where refusing.account_id = ${owner} and refusing.target_account_id = ${viewer.id}))`
}

function collectionsOpen(viewer: ViewerRef, owner: AccountId | SQL): SQL {
  return sql`exists (select 1 from accounts shown where shown.id = ${owner}
    and (coalesce(shown.hide_collections, 0) = 0 or shown.id = ${viewer.id}))`
}

/** In lists of others a viewer meets nobody they hide, nor those who block them; the own list is complete. */
function isListedFor({ viewer, id: owner, now }: RelationQuery, account: string): SQL {
  if (!viewer.signedIn) return sql`1`
  return sql`(coalesce(${viewer.id} = ${owner}, 0) or (${authorNotBlockedOrMuted(viewer, now, account)}
    and not exists (select 1 from blocks refusing
      where refusing.account_id = ${sql.raw(account)} and refusing.target_account_id = ${viewer.id})))`
}
