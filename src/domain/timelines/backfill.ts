import { and, eq, type SQL, sql } from 'drizzle-orm'
import { homeEntries, listEntries } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { blockSql } from '../policy/block-predicates'
import {
  eligibleByTag,
  eligibleForHome,
  eligibleForList,
  hasFollowedTag,
  homeFeeds,
  isForFeeds,
  listsWithAuthor,
  recentlyShownIn,
} from './eligibility'

/** Statuses of a newly followed account that enter a feed. */
export const backfillLength = 40

/**
 * Adds the latest statuses of `target` to the home feed of `follower` and to the lists it is on, under the
 * eligibility rules of new ones.
 *
 * Does nothing if the follow was removed meanwhile, or if the follower is remote. Idempotent.
 */
export async function backfillFeeds(ctx: Ctx, follower: AccountId, target: AccountId): Promise<void> {
  const changes = new Changes().add(
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
  )
  await commit(ctx, changes)
}

/**
 * Statement that adds the latest of the statuses `s` in a source to one home feed. A status among its latest
 * entries, itself or as a reblog, is not added again.
 */
export function backfillHome(ctx: Ctx, owner: AccountId, source: SQL) {
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
