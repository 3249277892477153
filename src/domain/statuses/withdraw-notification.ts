import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { NotificationType } from '../../contract/notification-kinds'
import { inList } from '../../db/query'
import { notifications } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { authorOf } from './find'

interface Interaction {
  readonly from: AccountId
  readonly type: NotificationType
  readonly statusId: StatusId
  /** Recipients; by default the author of the status. */
  readonly to?: readonly AccountId[]
}

/**
 * Deletes the notification of an undone interaction, so that repeating the interaction notifies again. Nothing happens
 * where `kept` holds.
 *
 * Named by all columns of its index: a popular status has thousands of notifications.
 */
export function withdrawNotification(
  ctx: Ctx,
  { from, type, statusId, to }: Interaction,
  kept: SQL = sql`0`,
) {
  const recipient = notifications.accountId
  return ctx.db
    .delete(notifications)
    .where(
      and(
        eq(notifications.fromAccountId, from),
        eq(notifications.type, type),
        to === undefined ? sql`${recipient} = ${authorOf(statusId)}` : inList(recipient, to),
        sql`coalesce(${notifications.statusId}, ${notifications.subjectId}, 0) = ${statusId}`,
        sql`not (${kept})`,
      ),
    )
}
