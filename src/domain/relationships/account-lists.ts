import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { BoundedSelection } from '../../db/query'
import { mutes } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import { candidateLimit, type Page, pageSql, scanIndex, scanRelation } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { blockSql } from '../policy/block-predicates'
import { authorNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { hasKnownInbox, isInLocalPart } from '../policy/visibility'

const m = alias(mutes, 'm')

// Every selection returns rows (id, cursor), newest first; the cursor is the id of the row that makes the relation.

/** Accounts the viewer blocks. */
export function blockedAccounts(viewer: ViewerRef, page: Page): BoundedSelection {
  return scanRelation(page, {
    table: 'blocks',
    person: 'target_account_id',
    where: sql`m.account_id = ${viewer.id}`,
    shown: active(sql`met.id`),
  })
}

/** Accounts the viewer mutes at `now`. */
export function mutedAccounts(viewer: ViewerRef, page: Page, now: Date): BoundedSelection {
  return scanRelation(page, {
    table: 'mutes',
    person: 'target_account_id',
    where: sql`m.account_id = ${viewer.id} and (m.expires_at is null or m.expires_at > ${now.getTime()})`,
    shown: active(sql`met.id`),
    selections: 2,
  })
}

/** Accounts that the viewer mutes for some time from `now`, the latest mute first. */
export function snoozedAccounts(viewer: ViewerRef, page: Page, now: Date): SQL {
  return pageSql(
    page,
    sql`${m.id}`,
    (bounds) => sql`select ${m.targetAccountId} as id, ${m.id} as cursor
      from ${mutes} m indexed by mutes_temporary
      where ${m.accountId} = ${viewer.id} and ${bounds}
        and ${m.expiresAt} is not null and ${m.expiresAt} > ${now.getTime()}`,
  )
}

/** Accounts that request to follow the viewer. */
export function requestersOf(viewer: ViewerRef, page: Page): BoundedSelection {
  return scanRelation(page, {
    table: 'follow_requests',
    person: 'account_id',
    where: sql`m.target_account_id = ${viewer.id}`,
    shown: active(sql`met.id`),
  })
}

/** Accounts the viewer features on their profile. */
export function endorsedAccounts(viewer: ViewerRef, page: Page): BoundedSelection {
  return scanRelation(page, {
    table: 'endorsements',
    person: 'target_account_id',
    where: sql`m.account_id = ${viewer.id}`,
    shown: active(sql`met.id`),
  })
}

/** Parameters of a list of an account's relations. */
interface RelationQuery {
  readonly viewer: ViewerRef
  /** Owner of these relations: an id, or a subquery of one. */
  readonly id: AccountId | SQL
  readonly now: Date
}

/** Accounts `owner` features, as far as the viewer may see them. */
export function endorsementsOf({ viewer, id: owner, now }: RelationQuery, page: Page): BoundedSelection {
  return scanRelation(page, {
    table: 'endorsements',
    person: 'target_account_id',
    where: sql`m.account_id = ${owner}`,
    shown: sql`${ownerVisible(viewer, owner)} and ${active(sql`met.id`)}
      and ${isListedFor({ viewer, id: owner, now }, 'met.id')}`,
  })
}

/** Followers of `owner`, as far as the viewer may see them; none where the owner hides them. */
export function followersOf(query: RelationQuery, page: Page): BoundedSelection {
  return followPage(query, page, (bounds) => {
    const part = (isInPart: SQL) => sql`select f.account_id as id, f.id as cursor from follows f
      where f.target_account_id = ${query.id} and ${isInPart} and ${bounds}`
    // Either part of the index is in the order of the ids: the two are merged.
    return sql`${part(isInLocalPart('f'))} union all ${part(hasKnownInbox('f'))}`
  })
}

/** Accounts `owner` follows, under the same rules. */
export function followingOf(query: RelationQuery, page: Page): BoundedSelection {
  return followPage(
    query,
    page,
    (bounds) => sql`select f.target_account_id as id, f.id as cursor from follows f
      where f.account_id = ${query.id} and ${bounds}`,
  )
}

function followPage(
  { viewer, id: owner, now }: RelationQuery,
  page: Page,
  candidates: (bounds: SQL) => SQL,
): BoundedSelection {
  return scanIndex(page, {
    most: candidateLimit({ each: 2, limit: page.limit, of: 'people' }),
    of: 'accounts',
    cursor: sql`f.id`,
    candidates,
    shown: (candidates) => sql`select met.id as id, met.cursor as cursor from (${candidates}) met
      where ${ownerVisible(viewer, owner)} and ${collectionsVisible(viewer, owner)} and ${active(sql`met.id`)}
        and ${isListedFor({ viewer, id: owner, now }, 'met.id')}`,
  })
}

/** Condition: the account is not suspended. */
function active(account: SQL): SQL {
  return sql`not exists (select 1 from accounts listed where listed.id = ${account} and listed.suspended_at is not null)`
}

/** Condition: the owner is not suspended and does not block the viewer. */
function ownerVisible(viewer: ViewerRef, owner: AccountId | SQL): SQL {
  return sql`(${active(sql`${owner}`)} and not ${blockSql.blocks(owner, viewer.id)})`
}

function collectionsVisible(viewer: ViewerRef, owner: AccountId | SQL): SQL {
  return sql`exists (select 1 from accounts shown where shown.id = ${owner}
    and (coalesce(shown.hide_collections, 0) = 0 or shown.id = ${viewer.id}))`
}

/**
 * Condition: in lists of others, the account is neither hidden by the viewer nor blocking them; the own list is
 * complete.
 */
function isListedFor({ viewer, id: owner, now }: RelationQuery, account: string): SQL {
  if (!viewer.signedIn) return sql`1`
  return sql`(coalesce(${viewer.id} = ${owner}, 0) or (${authorNotBlockedOrMuted(viewer, now, account)}
    and not ${blockSql.blocks(sql.raw(account), viewer.id)}))`
}
