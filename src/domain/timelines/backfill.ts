import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { execute, first, limitTo } from '../../db/query'
import { follows, homeEntries, listEntries, statuses, statusTags, tagFollows } from '../../db/schema'
import { type AccountId, firstIdAt, type ListId, type TagId } from '../../lib/ids'
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
  isAwake,
  isByStranger,
  isEarlier,
  isForFeeds,
  listsWithAuthor,
  recentlyShownIn,
  sameDayByAuthor,
  shownForTag,
  tagged,
  wantedAtHome,
  wantedInLists,
} from './eligibility'
import { feedLength } from './trim'

const { s, f } = entering
const { tf } = tagged
const u = alias(statusTags, 'u')

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
    and ${isStillTagged(ctx, me)})`
}

/** True if a hashtag of the status `s` that `owner` follows lets it into the home feed. */
function isStillTagged(ctx: Ctx, owner: SQL): SQL {
  const now = ctx.clock.now().getTime()
  return sql`(${hasFollowedTag(owner, now)} and ${eligibleByTag(owner, now)})`
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
  const isTagged = isStillTagged(ctx, me)
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
  const { tagId } = tagFollows
  const found = ctx.db.select({ tagId }).from(tagFollows).where(sql`${tagFollows.id} = ${followId}`)
  const follow = await execute(ctx.db, first(found))
  if (follow === null) return
  await commit(ctx, new Changes().add(fillByTag(ctx, owner, follow.tagId)))
}

/**
 * Removes statuses that entered the home feed for a hashtag, unless it is followed again: those by accounts not
 * followed and without another followed hashtag.
 */
export async function removeTagFromHome(ctx: Ctx, owner: AccountId, tag: TagId): Promise<void> {
  await commit(ctx, new Changes().add(leaveByTag(ctx, owner, tag)))
}

/**
 * Applies a changed follow of a hashtag to the home feed: statuses that entered for it alone leave while it is snoozed, and all but the
 * first of each day where fewer are wanted; the latest that it wants enter. Does nothing if it was unfollowed meanwhile. Idempotent.
 */
export async function refillHomeByTag(ctx: Ctx, owner: AccountId, tag: TagId): Promise<void> {
  const changes = new Changes().add(
    leaveByTag(ctx, owner, tag),
    fillByTag(ctx, owner, tag),
    ...keepFirstOfDayByTag(ctx, owner, tag),
  )
  await commit(ctx, changes)
}

/** Statement that adds the latest statuses with a hashtag to the home feed, while its follow is not snoozed. */
function fillByTag(ctx: Ctx, owner: AccountId, tag: TagId) {
  const now = ctx.clock.now().getTime()
  const latest = sql`select ${u.statusId} as status from ${tagFollows} tf
    cross join ${statusTags} u on ${u.tagId} = ${tf.tagId}
    where ${tf.tagId} = ${tag} and ${tf.accountId} = ${owner} and ${isAwake(now)}
    order by ${u.statusId} desc ${limitTo(maxCandidates)}`
  const source = sql`(${latest}) late cross join ${statuses} s on ${s.id} = late.status
    where ${eligibleByTag(sql`${owner}`, now)}`
  return backfillHome(ctx, owner, source)
}

/** True if an entry of the home feed came for the hashtag alone: no other that is followed brings it. */
function cameByTag(ctx: Ctx, { owner, tag, more }: { owner: AccountId; tag: TagId; more: SQL }): SQL {
  const others = hasFollowedTag(sql`${owner}`, ctx.clock.now().getTime(), sql`${tf.tagId} <> ${tag}`)
  return sql`exists (select 1 from ${statuses} s
    where ${s.id} = ${homeEntries.statusId} and ${isByStranger(sql`${owner}`)}
      and exists (select 1 from ${statusTags} u where ${u.tagId} = ${tag} and ${u.statusId} = ${s.id})
      and not ${others} and ${more})`
}

/** Statement that takes statuses out of the home feed that came for a hashtag alone, unless its follow is awake. */
function leaveByTag(ctx: Ctx, owner: AccountId, tag: TagId) {
  const isOver = sql`not exists (select 1 from ${tagFollows} tf where ${tf.tagId} = ${tag}
    and ${tf.accountId} = ${owner} and ${isAwake(ctx.clock.now().getTime())})`
  const isOut = cameByTag(ctx, { owner, tag, more: sql`1` })
  return ctx.db.delete(homeEntries).where(and(eq(homeEntries.accountId, owner), isOver, isOut))
}

/**
 * Statements that leave in the home feed the first status of each day that came for a hashtag of which its owner wants fewer, and record
 * the one of today.
 */
function keepFirstOfDayByTag(ctx: Ctx, owner: AccountId, tag: TagId) {
  const isIt = and(eq(tagFollows.tagId, tag), eq(tagFollows.accountId, owner), eq(tagFollows.fewer, true))
  const wantsFewer = sql`exists ${ctx.db.select({ id: tagFollows.id }).from(tagFollows).where(isIt)}`
  const firstOf = (id: SQL | number) => sql`(${shownForTag(owner, tag, id)} ${limitTo(1)})`
  const isLater = sql`${homeEntries.statusId} > ${firstOf(sql`${homeEntries.statusId}`)}`
  const isOut = cameByTag(ctx, { owner, tag, more: isLater })
  return [
    ctx.db.delete(homeEntries).where(and(eq(homeEntries.accountId, owner), wantsFewer, isOut)),
    ctx.db
      .update(tagFollows)
      .set({ lastShown: firstOf(firstIdAt(ctx.clock.now())) })
      .where(isIt),
  ]
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
