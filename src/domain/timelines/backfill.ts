import { and, eq, type SQL, sql } from 'drizzle-orm'
import { execute, first, limitTo } from '../../db/query'
import { follows, homeEntries, listEntries, statuses, tagFollows } from '../../db/schema'
import type { AccountId, ListId, TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { blockSql } from '../policy/block-predicates'
import {
  eligibleByTag,
  eligibleForHome,
  eligibleForList,
  entering,
  hasFollowedTag,
  homeFeeds,
  isEarlier,
  isForFeeds,
  listsWithAuthor,
  recentlyShownIn,
  sameDayByAuthor,
  wantedAtHome,
  wantedInLists,
} from './eligibility'
import { feedLength } from './trim'

const { s, f } = entering

/** Statuses of a newly followed account that enter a feed. */
const backfillLength = 40

/**
 * Adds the latest statuses of `target` to the home feed of `follower` and to the lists it is on, under the
 * eligibility rules of new ones.
 *
 * Does nothing if the follow was removed meanwhile, or if the follower is remote. Idempotent.
 */
export async function backfillFeeds(ctx: Ctx, follower: AccountId, target: AccountId): Promise<void> {
  await commit(ctx, new Changes().add(...fillFeeds(ctx, follower, target)))
}

/**
 * Applies changed options of a follow to the home feed and to lists: statuses that it no longer wants leave, and the latest
 * that it wants enter. Does nothing if the follow was removed meanwhile. Idempotent.
 */
export async function refillFeeds(ctx: Ctx, follower: AccountId, target: AccountId): Promise<void> {
  const unwanted = (
    entry: SQL,
    isWanted: SQL,
  ) => sql`exists (select 1 from ${statuses} s cross join ${follows} f
    where ${s.id} = ${entry} and ${s.accountId} = ${target} and ${s.visibility} <> 'direct'
      and ${f.accountId} = ${follower} and ${f.targetAccountId} = ${target} and not ${isWanted})`
  const isTagged = taggedFor(ctx, follower, sql`${homeEntries.statusId}`)
  const changes = new Changes().add(
    ctx.db
      .delete(homeEntries)
      .where(
        and(
          eq(homeEntries.accountId, follower),
          unwanted(sql`${homeEntries.statusId}`, wantedAtHome),
          sql`not ${isTagged}`,
        ),
      ),
    ctx.db
      .delete(listEntries)
      .where(and(inListsOf(follower), unwanted(sql`${listEntries.statusId}`, wantedInLists))),
    ...fillFeeds(ctx, follower, target),
  )
  await commit(ctx, changes)
}

/** True if the status entered the home feed, or would, for a followed hashtag. */
function taggedFor(ctx: Ctx, owner: AccountId, status: SQL): SQL {
  const me = sql`${owner}`
  return sql`exists (select 1 from ${statuses} s where ${s.id} = ${status}
    and ${hasFollowedTag(me)} and ${eligibleByTag(me, ctx.clock.now().getTime())})`
}

function fillFeeds(ctx: Ctx, follower: AccountId, target: AccountId) {
  return [
    backfillHome(
      ctx,
      follower,
      sql`follows f join statuses s on s.account_id = f.target_account_id
        where f.account_id = ${follower} and f.target_account_id = ${target} and ${eligibleForHome}
          and ${isForFeeds}
          and exists (select 1 from users where users.account_id = f.account_id)`,
    ),
    ctx.db.run(sql`
      insert into ${listEntries} (list_id, status_id)
      select m.list_id, s.id
      from (select b.id from statuses b where b.account_id = ${target}
          order by b.id desc ${limitTo(backfillLength)}) late
        cross join statuses s on s.id = late.id cross join ${listsWithAuthor}
      where m.account_id = ${target} and m.owner_id = ${follower} and ${eligibleForList} and ${isForFeeds}
      on conflict do nothing`),
    keepFirstOfDay(ctx, follower, target),
  ]
}

/** Statement that leaves in the home feed the first status of each day by an account of which the owner wants fewer. */
function keepFirstOfDay(ctx: Ctx, owner: AccountId, target: AccountId) {
  // Without such a follow no status is looked at.
  const latest = sql`select ${s.id} from ${follows} f cross join ${statuses} s
    where ${f.accountId} = ${owner} and ${f.targetAccountId} = ${target} and ${f.fewer} = 1
      and ${s.accountId} = ${f.targetAccountId}
    order by ${s.id} desc ${limitTo(backfillLength)}`
  const isLater = sql`exists (select 1 from ${statuses} s
    where ${s.id} = ${homeEntries.statusId} and ${s.visibility} <> 'direct'
      and exists (${sameDayByAuthor(sql`${owner}`, isEarlier)}))`
  return ctx.db
    .delete(homeEntries)
    .where(
      and(
        eq(homeEntries.accountId, owner),
        sql`${homeEntries.statusId} in (${latest})`,
        isLater,
        sql`not ${taggedFor(ctx, owner, sql`${homeEntries.statusId}`)}`,
      ),
    )
}

/**
 * Statement that adds the latest of the statuses `s` in a source to one home feed. A status among its latest
 * entries, itself or as a reblog, is not added again.
 */
function backfillHome(ctx: Ctx, owner: AccountId, source: SQL) {
  const feed = sql`${owner}`
  return ctx.db.run(sql`with ${recentlyShownIn(homeFeeds, feed)}
    insert into ${homeEntries} (account_id, status_id)
    select ${owner}, max(fresh.id) from (
      select s.id as id, coalesce(s.reblog_of_id, s.id) as same from ${source}
      order by s.id desc ${limitTo(backfillLength)}) fresh
    where fresh.same not in (select id from shown) group by fresh.same
    on conflict do nothing`)
}

/**
 * Removes the statuses of `target` from the feeds of `follower`, unless it follows again. Statuses with a
 * followed hashtag stay in the home feed.
 */
export async function removeFromFeeds(ctx: Ctx, follower: AccountId, target: AccountId): Promise<void> {
  const me = sql`${follower}`
  // From the feed to its statuses: the feed is short, and the target may have very many statuses.
  const byTarget = (status: SQL, more = sql`1`) => sql`exists (select 1 from statuses s
    where s.id = ${status} and s.account_id = ${target} and ${more})`
  const isTagged = sql`(${hasFollowedTag(me)} and ${eligibleByTag(me, ctx.clock.now().getTime())})`
  const isOver = sql`not exists (select 1 from follows
    where account_id = ${follower} and target_account_id = ${target})`
  const changes = new Changes().add(
    ctx.db
      .delete(homeEntries)
      .where(
        and(
          eq(homeEntries.accountId, follower),
          byTarget(sql`${homeEntries.statusId}`, sql`not ${isTagged}`),
          isOver,
        ),
      ),
    ctx.db
      .delete(listEntries)
      .where(and(inListsOf(follower), byTarget(sql`${listEntries.statusId}`), isOver)),
  )
  await commit(ctx, changes)
}

/** Removes the statuses of all accounts of `domain` from the feeds of `follower`, while it blocks the domain. */
export async function removeDomainFromFeeds(ctx: Ctx, follower: AccountId, domain: string): Promise<void> {
  const byThem = (
    status: SQL,
  ) => sql`exists (select 1 from statuses s cross join accounts a on a.id = s.account_id
    where s.id = ${status} and a.domain = ${domain})`
  const isBlocked = blockSql.blocksDomain(follower, sql`${domain}`)
  const changes = new Changes().add(
    ctx.db
      .delete(homeEntries)
      .where(and(eq(homeEntries.accountId, follower), byThem(sql`${homeEntries.statusId}`), isBlocked)),
    ctx.db
      .delete(listEntries)
      .where(and(inListsOf(follower), byThem(sql`${listEntries.statusId}`), isBlocked)),
  )
  await commit(ctx, changes)
}

function inListsOf(owner: AccountId): SQL {
  return sql`${listEntries.listId} in (select l.id from lists l where l.account_id = ${owner})`
}

/** Statuses with the hashtag read as candidates. */
const maxCandidates = 200

/**
 * Adds the latest statuses with a newly followed hashtag to the home feed. Does nothing if it was unfollowed
 * meanwhile.
 */
export async function backfillHomeByTag(ctx: Ctx, owner: AccountId, followId: number): Promise<void> {
  const follow = await execute(
    ctx.db,
    first(
      ctx.db.select({ tagId: tagFollows.tagId }).from(tagFollows).where(sql`${tagFollows.id} = ${followId}`),
    ),
  )
  if (follow === null) return
  const latest = sql`select u.status_id from status_tags u where u.tag_id = ${follow.tagId}
    order by u.status_id desc ${limitTo(maxCandidates)}`
  const tagged = sql`(${latest}) late cross join statuses s on s.id = late.status_id
    where ${eligibleByTag(sql`${owner}`, ctx.clock.now().getTime())}`
  await commit(ctx, new Changes().add(backfillHome(ctx, owner, tagged)))
}

/**
 * Removes statuses that entered the home feed for a hashtag, unless it is followed again: those by accounts not
 * followed and without another followed hashtag.
 */
export async function removeTagFromHome(ctx: Ctx, owner: AccountId, tag: TagId): Promise<void> {
  const me = sql`${owner}`
  const cameForIt = sql`exists (select 1 from statuses s
    where s.id = ${homeEntries.statusId} and s.account_id <> ${owner} and s.reblog_of_id is null
      and exists (select 1 from status_tags u where u.tag_id = ${tag} and u.status_id = s.id)
      and not exists (select 1 from follows where account_id = ${owner} and target_account_id = s.account_id)
      and not ${hasFollowedTag(me)})`
  const isOut = sql`${homeEntries.accountId} = ${owner} and ${cameForIt}`
  await commit(ctx, new Changes().add(ctx.db.delete(homeEntries).where(isOut)))
}

/** A list whose members or exclusivity changed. */
export interface ChangedList {
  readonly ownerId: AccountId
  readonly listId: ListId
  /** Added members. */
  readonly joinedIds: readonly AccountId[]
  /** True if the list is or was exclusive. */
  readonly concernsHome: boolean
}

/**
 * Rebuilds a list feed and the owner's home feed after a membership change. The latest statuses of added members
 * enter; those of removed members leave and return to the home feed; an exclusive list removes its statuses from
 * there.
 *
 * Idempotent; a deleted list counts as one without members.
 */
export async function rebuildListFeed(ctx: Ctx, list: ChangedList): Promise<void> {
  const changes = new Changes()
  if (list.joinedIds.length > 0) changes.add(fill(ctx, list))
  if (list.concernsHome) changes.add(returnHome(ctx, list))
  changes.add(
    ctx.db
      .delete(listEntries)
      .where(
        sql`${listEntries.listId} = ${list.listId} and not ${byMember(list.listId, sql`${listEntries.statusId}`)}`,
      ),
  )
  if (list.concernsHome) changes.add(leaveHome(ctx, list))
  await commit(ctx, changes)
}

/** Adds the latest statuses of each added member, in total at most the feed length. */
function fill(ctx: Ctx, { listId, joinedIds }: ChangedList) {
  const oldest = sql`select b.id from statuses b where b.account_id = joined.value
    order by b.id desc limit 1 offset ${sql.raw(String(backfillLength - 1))}`
  return ctx.db.run(sql`insert into ${listEntries} (list_id, status_id)
    select m.list_id, s.id from json_each(${JSON.stringify(joinedIds)}) joined
      cross join statuses s on s.account_id = joined.value and s.id >= coalesce((${oldest}), 0)
      cross join ${listsWithAuthor}
    where m.account_id = joined.value and m.list_id = ${listId} and ${eligibleForList} and ${isForFeeds}
    order by s.id desc ${limitTo(feedLength)}
    on conflict do nothing`)
}

/** Returns statuses of the list feed that are eligible for the home feed again. */
function returnHome(ctx: Ctx, { ownerId, listId }: ChangedList) {
  return ctx.db.run(sql`insert into ${homeEntries} (account_id, status_id)
    select f.account_id, s.id from list_entries e cross join statuses s on s.id = e.status_id
      cross join follows f on f.account_id = ${ownerId} and f.target_account_id = s.account_id
    where e.list_id = ${listId} and ${eligibleForHome}
    on conflict do nothing`)
}

function leaveHome(ctx: Ctx, { ownerId, listId }: ChangedList) {
  const isExclusive = sql`exists (select 1 from lists l where l.id = ${listId} and l.exclusive = 1)`
  return ctx.db.delete(homeEntries).where(
    sql`${homeEntries.accountId} = ${ownerId} and ${isExclusive}
      and ${byMember(listId, sql`${homeEntries.statusId}`, sql`m.account_id <> ${ownerId}`)}`,
  )
}

/** True if the status is by a member of the list. */
function byMember(list: ListId, status: SQL, more = sql`1`): SQL {
  return sql`exists (select 1 from statuses s cross join list_accounts m on m.account_id = s.account_id
    where s.id = ${status} and m.list_id = ${list} and ${more})`
}
