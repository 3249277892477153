import { and, eq } from 'drizzle-orm'
import { notifications } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { NotificationType } from '../../lib/notifications/kinds'
import type { Ctx } from '../../platform/ports'

/** Deletes the notification of an undone interaction, so that repeating the interaction notifies again. */
export function withdrawNotification(
  ctx: Ctx,
  interaction: { readonly from: AccountId; readonly type: NotificationType; readonly statusId: StatusId },
) {
  return ctx.db
    .delete(notifications)
    .where(
      and(
        eq(notifications.statusId, interaction.statusId),
        eq(notifications.type, interaction.type),
        eq(notifications.fromAccountId, interaction.from),
      ),
    )
}
