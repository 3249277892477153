import { type SQL, sql } from 'drizzle-orm'
import { homeEntries, listEntries } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId, ListId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { backfillLength } from './backfill'
import { eligibleForHome, eligibleForList, listsWithAuthor } from './eligibility'
import { feedLength } from './trim'

/** Somebody's list whose members or exclusiveness changed. */
export interface ChangedList {
  readonly ownerId: AccountId
  readonly listId: ListId
  /** Those who came. */
  readonly joinedIds: readonly AccountId[]
  /** It kept statuses out of the home, or keeps them out from now on. */
  readonly concernsHome: boolean
}

/**
 * Makes the feed of a list and the home of its owner agree with who is on it now: the latest of those who joined
 * enter, those of who left go and return home, and an exclusive list takes its own out of there.
 *
 * Running it twice changes nothing; a list that is gone is one without members.
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

/** The latest of each, and of all no more than a feed keeps. */
function fill(ctx: Ctx, { listId, joinedIds }: ChangedList) {
  const oldest = sql`select b.id from statuses b where b.account_id = joined.value
    order by b.id desc limit 1 offset ${sql.raw(String(backfillLength - 1))}`
  return ctx.db.run(sql`insert into ${listEntries} (list_id, status_id)
    select m.list_id, s.id from json_each(${JSON.stringify(joinedIds)}) joined
      cross join statuses s on s.account_id = joined.value and s.id >= coalesce((${oldest}), 0)
      cross join ${listsWithAuthor}
    where m.account_id = joined.value and m.list_id = ${listId} and ${eligibleForList}
    order by s.id desc ${limitTo(feedLength)}
    on conflict do nothing`)
}

/** What the list holds and nothing keeps out of the home any more. */
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

/** Is the status by somebody on the list? */
function byMember(list: ListId, status: SQL, more = sql`1`): SQL {
  return sql`exists (select 1 from statuses s cross join list_accounts m on m.account_id = s.account_id
    where s.id = ${status} and m.list_id = ${list} and ${more})`
}
