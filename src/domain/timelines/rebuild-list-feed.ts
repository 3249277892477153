import { type SQL, sql } from 'drizzle-orm'
import { homeEntries, listEntries } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId, ListId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { backfillLength } from './backfill'
import { eligibleForHome, eligibleForList, isForFeeds, listsWithAuthor } from './eligibility'
import { feedLength } from './trim'

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
