import { sql } from 'drizzle-orm'
import { notificationTypes } from '../../contract/notification-kinds'
import { notifications } from '../../db/schema'
import { inList } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** A statement that deletes all notifications of `owner` caused by `from`. */
export function deleteNotificationsFrom(ctx: Ctx, owner: AccountId, from: AccountId) {
  // Naming every type lets the index (from_account_id, type, account_id) find the few rows.
  return ctx.db.delete(notifications).where(
    sql`${notifications.accountId} = ${owner} and ${inList(notifications.type, notificationTypes)}
        and ${notifications.fromAccountId} = ${from}`,
  )
}
