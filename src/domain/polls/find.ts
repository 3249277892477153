import { and, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { first, type Query, rows } from '../../db/query'
import { polls, statuses } from '../../db/schema'
import type { AccountId, PollId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

export type PollRow = typeof polls.$inferSelect

/** The status that carries the poll, as a selection (id, cursor): its loader checks visibility. */
export function statusOfPoll(id: PollId): SQL {
  return sql`select status_id as id, 0 as cursor from polls where id = ${id}`
}

/** The poll with this id, without a visibility check. One statement. */
export function pollById(ctx: Ctx, id: PollId): Query<PollRow | null> {
  return first(ctx.db.select().from(polls).where(sql`${polls.id} = ${id}`))
}

/** The poll with this id, if `viewer` may see its status. One statement. */
export function visiblePoll(ctx: Ctx, viewer: ViewerRef, id: PollId): Query<PollRow | null> {
  return first(
    ctx.db
      .select(getTableColumns(polls))
      .from(polls)
      .innerJoin(statuses, sql`${statuses.id} = ${polls.statusId}`)
      .where(sql`${polls.id} = ${id} and ${visibleTo(viewer, 'statuses')}`),
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

/** Local accounts that voted. One statement. */
export function localVoters(ctx: Ctx, id: PollId): Query<{ readonly id: AccountId }[]> {
  return rows(
    ctx.db
      .selectDistinct({ id: sql<AccountId>`v.account_id`.as('id') })
      .from(sql`poll_votes v cross join users u`)
      .where(sql`v.poll_id = ${id} and u.account_id = v.account_id`),
  )
}
