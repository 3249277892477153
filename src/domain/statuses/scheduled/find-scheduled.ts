import { eq, type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query, rows } from '../../../db/query'
import { mediaAttachments, scheduledStatuses } from '../../../db/schema'
import type { Attachment } from '../../../db/values'
import { Conflict } from '../../../errors'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId, ScheduledId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { type Page, pageSql } from '../../core/page'
import type { ViewerRef } from '../../core/viewer'
import { attachmentOf } from '../../media/find'

export type ScheduledRow = typeof scheduledStatuses.$inferSelect

/** A scheduled status with its uploads in display order. */
export interface Scheduled {
  readonly row: ScheduledRow
  readonly media: readonly Attachment[]
}

/** Concurrent change: the status was published, moved or cancelled. */
export class NoLongerScheduled extends Conflict {
  override readonly name = 'NoLongerScheduled'
  constructor() {
    super('scheduled_post_changed')
  }
}

/** A page of the scheduled statuses of `viewer`, newest first, as rows (id, cursor). */
export function scheduledPage(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`w.id`,
    (bounds) => sql`select w.id as id, w.id as cursor from scheduled_statuses w
      where w.account_id = ${viewer.id} and ${bounds}`,
  )
}

/** The scheduled status of `viewer` with this id, as rows (id, cursor): one or none. */
export function ownScheduled(viewer: ViewerRef, id: ScheduledId): SQL {
  return sql`select w.id as id, w.id as cursor from scheduled_statuses w
    where w.id = ${id} and w.account_id = ${viewer.id}`
}

/** The scheduled statuses in a selection (id, cursor), newest first. Two statements. */
export function findScheduled(ctx: Ctx, selection: SQL): Query<Scheduled[]> {
  const found = combineQueries({
    waiting: rows(
      ctx.db
        .select()
        .from(scheduledStatuses)
        .where(sql`${scheduledStatuses.id} in (select id from (${selection}))`),
    ),
    media: rows(
      ctx.db
        .select()
        .from(mediaAttachments)
        // Verbatim condition of the partial index of held uploads.
        .where(
          sql`scheduled_status_id is not null
            and ${mediaAttachments.scheduledStatusId} in (select id from (${selection}))`,
        ),
    ),
  })
  return map(found, ({ waiting, media }) =>
    waiting
      .toSorted((a, b) => b.id - a.id)
      .map((row) => ({
        row,
        media: row.params.mediaIds.flatMap((id) => {
          const upload = media.find((one) => one.id === id && one.scheduledStatusId === row.id)
          return upload === undefined ? [] : [attachmentOf(upload)]
        }),
      })),
  )
}

/** The scheduled status with this id, regardless of its author. One statement. */
export function scheduledById(ctx: Ctx, id: ScheduledId): Query<ScheduledRow | null> {
  return first(ctx.db.select().from(scheduledStatuses).where(eq(scheduledStatuses.id, id)))
}

/** Scheduled statuses due by `now`, in order. One statement. */
export function dueScheduled(ctx: Ctx, now: Date, limit: number): Query<ScheduledRow[]> {
  return rows(
    ctx.db
      .select()
      .from(scheduledStatuses)
      // Verbatim condition of the partial index of pending rows.
      .where(sql`failure is null and ${scheduledStatuses.dueAt} <= ${now.getTime()}`)
      .orderBy(scheduledStatuses.dueAt, scheduledStatuses.id)
      .limit(limit),
  )
}

/** Guard: the row is still pending with the same time and content. */
export function isStillScheduled({ id, scheduledAt, params }: ScheduledRow): SQL {
  return sql`exists (select 1 from scheduled_statuses
    where id = ${id} and scheduled_at = ${scheduledAt.getTime()} and failure is null
      and json(params) = json(${JSON.stringify(params)}))`
}

/** Guard: the account has a scheduled status with this id. */
export function ownsScheduled(account: AccountId, id: ScheduledId): SQL {
  return sql`exists (select 1 from scheduled_statuses where id = ${id} and account_id = ${account})`
}

/** Number of scheduled statuses of an account except `except`, as SQL; on one UTC day if `day` is given. */
export function countScheduled(
  account: AccountId,
  { except = 0, day }: { readonly except?: ScheduledId; readonly day?: Date },
): SQL {
  const start = day === undefined ? 0 : Math.floor(day.getTime() / dayMilliseconds) * dayMilliseconds
  const within =
    day === undefined ? sql`1` : sql`scheduled_at >= ${start} and scheduled_at < ${start + dayMilliseconds}`
  return sql`(select count(*) from scheduled_statuses where account_id = ${account} and id <> ${except} and ${within})`
}
