import { type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query, rows } from '../../db/query'
import { suggestionLists } from '../../db/schema'
import type { SuggestionEntry } from '../../db/schema/discovery'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { latestListedHere } from '../accounts/find-directory'
import type { ViewerRef } from '../core/viewer'
import { mayBeRecommended } from '../policy/featuring'

/** The stored suggestions of the viewer, and the time they were computed. */
export interface SuggestionList {
  readonly entries: readonly SuggestionEntry[]
  readonly computedAt: Date
}

/** The viewer's list; null before the first. One statement. */
export function suggestionsFor(ctx: Ctx, viewer: ViewerRef): Query<SuggestionList | null> {
  const { accountId, entries, computedAt } = suggestionLists
  return first(
    ctx.db.select({ entries, computedAt }).from(suggestionLists).where(sql`${accountId} = ${viewer.id}`),
  )
}

/** A page of the viewer's list as a selection (id, cursor): only accounts that may be suggested to them now. */
export function selectSuggested(
  viewer: ViewerRef,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  now: Date,
): SQL {
  return sql`select id, -place as cursor from (
    select a.id as id, entry.key as place
    from suggestion_lists list cross join json_each(list.entries) entry
      cross join accounts a on a.id = entry.value ->> 'id'
    where list.account_id = ${viewer.id} and ${mayBeSuggested(viewer, now)}
    order by entry.key ${limitTo(limit)} offset ${offset})`
}

/**
 * Condition: the account `a` may be suggested. It is recommendable to the viewer, neither followed nor requested, and
 * not dismissed before.
 */
function mayBeSuggested(viewer: ViewerRef, now: Date): SQL {
  const lacks = (table: string) => sql`not exists (select 1 from ${sql.raw(table)} tie
    where tie.account_id = ${viewer.id} and tie.target_account_id = a.id)`
  return sql`a.id <> ${viewer.id} and ${lacks('follows')} and ${lacks('follow_requests')}
    and ${lacks('suggestion_dismissals')} and ${mayBeRecommended(viewer, now)}`
}

/** Accounts of the directory that are examined. */
const maxListed = 500

/**
 * Local accounts of the directory that may be suggested, latest status first. Accounts of other servers call themselves
 * discoverable, and are left out: no member needs to follow them.
 */
export function listedHere(
  ctx: Ctx,
  viewer: ViewerRef,
  now: Date,
  count: number,
): Query<{ readonly id: AccountId }[]> {
  return rows(
    ctx.db.select({ id: sql<AccountId>`found.id`.as('id') }).from(sql`(
      select a.id as id from (${latestListedHere(maxListed)}) a
      where ${mayBeSuggested(viewer, now)} ${limitTo(count)}) as found`),
  )
}

/** Whether any of the accounts may be suggested. */
export function anySuggestible(
  ctx: Ctx,
  viewer: ViewerRef,
  now: Date,
  ids: readonly AccountId[],
): Query<boolean> {
  const found = first(
    ctx.db.select({ id: sql<AccountId>`found.id`.as('id') }).from(sql`(
      select a.id as id from json_each(${JSON.stringify(ids)}) entry cross join accounts a on a.id = entry.value
      where ${mayBeSuggested(viewer, now)} ${limitTo(1)}) as found`),
  )
  return map(found, (row) => row !== null)
}

/** Bounds: friends sampled, follows examined for them, follows read of each, and accounts considered. */
const maxFriends = 30
const maxFollowsExamined = 80
const maxFollowsOfEach = 15
const maxKnown = 120

/** Accounts followed by accounts the viewer follows, most followed first. Reads some 1,500 rows at most. */
export function friendsOfFriends(
  ctx: Ctx,
  viewer: ViewerRef,
  now: Date,
  count: number,
): Query<{ readonly id: AccountId }[]> {
  const friends = sql`select mine.target_account_id as id
    from (select f.id, f.target_account_id from follows f where f.account_id = ${viewer.id}
        order by f.id desc ${limitTo(maxFollowsExamined)}) mine
      cross join accounts friend on friend.id = mine.target_account_id
    where coalesce(friend.hide_collections, 0) = 0 and friend.suspended_at is null
    order by mine.id desc ${limitTo(maxFriends)}`
  // As a list of each friend, because a join would read every follow of the busiest of them.
  const followedIds = sql`(select json_group_array(target_account_id) from (
    select target_account_id from follows theirs where theirs.account_id = friends.id
    order by theirs.id desc ${limitTo(maxFollowsOfEach)}))`
  return rows(
    ctx.db.select({ id: sql<AccountId>`found.id`.as('id') }).from(sql`(
      select a.id as id
      from (select follow.value as id, count(*) as friends from (${friends}) friends, json_each(${followedIds}) follow
          group by follow.value order by friends desc, follow.value desc ${limitTo(maxKnown)}) known
        cross join accounts a on a.id = known.id
      where ${mayBeSuggested(viewer, now)}
      order by known.friends desc, a.followers_count desc, a.id desc ${limitTo(count)}) as found`),
  )
}
