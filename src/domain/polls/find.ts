import { and, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { removedAuthorId } from '../../contract/ids'
import { first, limitTo, type Query, rows } from '../../db/query'
import { polls, pollVotes, statuses } from '../../db/schema'
import type { AccountId, PollId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

export type PollRow = typeof polls.$inferSelect

/**
 * Condition: the row of `polls` is the poll that clients know by this id. One that restarted took it from the row before,
 * whose votes count no more and which waits for its deletion.
 */
function isKnownAs(id: PollId): SQL {
  return sql`(polls.id = coalesce((select restarted.id from polls restarted where restarted.public_id = ${id}), ${id})
    and coalesce(polls.public_id, polls.id) = ${id})`
}

/** The status that carries the poll clients know by this id, as a selection (id, cursor): its loader checks visibility. */
export function statusOfPoll(id: PollId): SQL {
  return sql`select status_id as id, 0 as cursor from polls where ${isKnownAs(id)}`
}

/** The poll of this row, unless an edit took it away, without a visibility check. One statement. */
export function pollById(ctx: Ctx, id: PollId): Query<PollRow | null> {
  const isKept = sql`${polls.accountId} <> ${removedAuthorId}`
  return first(ctx.db.select().from(polls).where(sql`${polls.id} = ${id} and ${isKept}`))
}

/** The poll that clients know by this id, if `viewer` may see its status. One statement. */
export function visiblePoll(ctx: Ctx, viewer: ViewerRef, id: PollId): Query<PollRow | null> {
  return first(
    ctx.db
      .select(getTableColumns(polls))
      .from(polls)
      .innerJoin(statuses, sql`${statuses.id} = ${polls.statusId}`)
      .where(sql`${isKnownAs(id)} and ${visibleTo(viewer, 'statuses')}`),
  )
}

/** The poll of a local status, if `viewer` may see it. One statement. */
export function visiblePollOf(ctx: Ctx, viewer: ViewerRef, status: StatusId): Query<PollRow | null> {
  return first(
    ctx.db
      .select(getTableColumns(polls))
      .from(polls)
      .innerJoin(statuses, sql`${statuses.pollId} = ${polls.id}`)
      .where(sql`${statuses.id} = ${status} and ${statuses.local} = 1 and ${visibleTo(viewer, 'statuses')}`),
  )
}

/** The poll of a status, without a visibility check. One statement. */
export function pollOfStatus(ctx: Ctx, status: SQL<StatusId>): Query<PollRow | null> {
  return first(ctx.db.select().from(polls).where(sql`${polls.statusId} = ${status}`))
}

/** Polls that ended by `now` and are not closed yet, oldest end first. One statement. */
export function duePolls(ctx: Ctx, now: Date, limit: number): Query<PollRow[]> {
  return rows(
    ctx.db
      .select()
      .from(polls)
      // Verbatim the index of open polls, so that the index is used.
      .where(
        and(
          sql`${polls.closedAt} is null and ${polls.expiresAt} is not null`,
          sql`${polls.expiresAt} <= ${now.getTime()}`,
        ),
      )
      .orderBy(polls.expiresAt)
      .limit(limit),
  )
}

/**
 * The next accounts that voted, by their ids. All are examined, so that a poll in which many servers voted costs no more.
 * One statement.
 */
export function votersBehind(
  ctx: Ctx,
  id: PollId,
  { after, count }: { readonly after: AccountId; readonly count: number },
): Query<readonly { readonly id: AccountId; readonly isLocal: number }[]> {
  return rows(
    ctx.db
      .select({
        id: sql<AccountId>`v.account_id`.as('id'),
        isLocal: sql<number>`exists (select 1 from users u where u.account_id = v.account_id)`.as('is_local'),
      })
      .from(
        sql`(select distinct account_id from ${pollVotes} where poll_id = ${id} and account_id > ${after}
          order by account_id ${limitTo(count)}) v`,
      ),
  )
}
