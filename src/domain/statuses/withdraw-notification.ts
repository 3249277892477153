import { and, eq } from 'drizzle-orm'
import { notifications } from '../../db/schema'
import type { NotificationType } from '../../db/schema/notifications'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Takes back what a deed told: it must not stand in the list, and may notify again when it is repeated. */
export function withdrawNotification(
  ctx: Ctx,
  deed: { readonly from: AccountId; readonly type: NotificationType; readonly statusId: StatusId },
) {
  return ctx.db
    .delete(notifications)
    .where(
      and(
        eq(notifications.statusId, deed.statusId),
        eq(notifications.type, deed.type),
        eq(notifications.fromAccountId, deed.from),
      ),
    )
}
