import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, inList } from '../../db/query'
import { notifications } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type NewNotification, notify } from '../notifications/notify'
import {
  type EditAudience,
  type EditedStatus,
  editAudienceBehind,
  editedStatus,
} from './find-affected-servers'
import { withdrawNotification } from './withdraw-notification'

type NotifyOfEdit = Extract<Job, { kind: 'notify-of-edit' }>

/** Rebloggers, and quotes, that one job notifies. */
const notifiedByJob = 200

/**
 * Adds notifications of an edit to those it concerns, and a job for the others. Only the latest edit keeps a
 * notification: those of earlier ones, from before `since`, are deleted. Who is notified of this one stays so.
 */
export function notifyOfEdit(
  ctx: Ctx,
  changes: Changes,
  {
    status,
    audience: { rebloggers, quoters, next },
    mentioned = [],
    editedAt,
    since,
  }: {
    readonly status: EditedStatus
    readonly audience: EditAudience
    /** Notifications of new mentions, which are added along. */
    readonly mentioned?: readonly NewNotification[]
    readonly editedAt: Date
    readonly since: Date
  },
): void {
  const from = status.accountId
  const isOfThis = sql`${notifications.createdAt} >= ${since.getTime()}`
  if (rebloggers.length > 0)
    changes.add(
      withdrawNotification(ctx, { from, type: 'update', statusId: status.id, to: rebloggers }, isOfThis),
    )
  if (quoters.length > 0)
    changes.add(
      ctx.db.delete(notifications).where(
        and(
          eq(notifications.type, 'quoted_update'),
          inList(
            notifications.statusId,
            quoters.map(({ statusId }) => statusId),
          ),
          sql`not (${isOfThis})`,
        ),
      ),
    )
  notify(ctx, changes, [
    ...mentioned,
    ...rebloggers.map((to) => ({ from, to, type: 'update' as const, statusId: status.id })),
    ...quoters.map(({ accountId: to, statusId }) => ({ from, to, type: 'quoted_update' as const, statusId })),
  ])
  if (next !== null)
    changes.enqueue({
      kind: 'notify-of-edit',
      statusId: status.id,
      editedAt: editedAt.getTime(),
      since: since.getTime(),
      after: next,
    })
}

/**
 * Notifies the next accounts of an edit; a job continues. A part that runs twice notifies each account once, and a later edit
 * ends the parts of an earlier one.
 */
export async function continueNotifyingOfEdit(
  ctx: Ctx,
  { statusId, editedAt, since, after }: Omit<NotifyOfEdit, 'kind'>,
): Promise<void> {
  const { status, audience } = await execute(
    ctx.db,
    combineQueries({
      status: editedStatus(ctx, statusId, new Date(editedAt)),
      audience: editAudienceBehind(ctx, sql<StatusId>`${statusId}`, { after, count: notifiedByJob }),
    }),
  )
  if (status === null) return
  const changes = new Changes()
  notifyOfEdit(ctx, changes, {
    status,
    audience,
    editedAt: new Date(editedAt),
    since: new Date(since),
  })
  await commit(ctx, changes)
}
