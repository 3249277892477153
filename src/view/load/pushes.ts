import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { jsonRow } from '../../db/json-row'
import { map, type Query, rows } from '../../db/query'
import { accounts, notifications, pushSubscriptions, statuses, users } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

const {
  createdAt: _createdAt,
  alerts: _alerts,
  policy: _policy,
  ...subscriptionColumns
} = getTableColumns(pushSubscriptions)
const subscriptionCell = jsonRow(subscriptionColumns)
const notificationCell = jsonRow({ id: notifications.id, type: notifications.type })
const senderParts = {
  id: accounts.id,
  username: accounts.username,
  displayName: accounts.displayName,
  avatar: accounts.avatar,
  noteHtml: accounts.noteHtml,
}
const senderCell = jsonRow(senderParts)

/** A notification for one push subscription, with everything the message shows. */
export interface PushFacts {
  readonly subscription: Pick<typeof pushSubscriptions.$inferSelect, keyof typeof subscriptionColumns>
  /** Locale of the recipient. */
  readonly locale: string
  readonly notification: Pick<typeof notifications.$inferSelect, 'id' | 'type'>
  readonly sender: Pick<typeof accounts.$inferSelect, keyof typeof senderParts>
  /** The status of the notification, if any. */
  readonly about: { readonly spoilerText: string; readonly content: string } | null
}

/**
 * Loads what `selection` names by rows (subscription_id, notification_id), in that order and in one statement.
 * The selection decides visibility: each row has another viewer.
 */
export function loadPushes(ctx: Ctx, selection: SQL): Query<readonly PushFacts[]> {
  const found = ctx.db
    .select({
      subscription: subscriptionCell.as('subscription'),
      notification: notificationCell.as('notification'),
      sender: senderCell.as('sender'),
      locale: sql<string>`${users.locale}`.as('locale'),
      spoilerText: sql<string | null>`${statuses.spoilerText}`.as('spoiler_text'),
      content: sql<string | null>`${statuses.content}`.as('content'),
    })
    .from(sql`(${selection}) as due`)
    .crossJoin(notifications)
    .crossJoin(pushSubscriptions)
    .crossJoin(users)
    .crossJoin(accounts)
    .leftJoin(statuses, eq(statuses.id, notifications.statusId))
    .where(
      sql`${notifications.id} = due.notification_id and ${pushSubscriptions.id} = due.subscription_id
        and ${users.accountId} = ${notifications.accountId} and ${accounts.id} = ${notifications.fromAccountId}`,
    )
    .orderBy(sql`due.subscription_id, due.notification_id`)
  return map(rows(found), (all) =>
    all.map(({ spoilerText, content, ...row }) => ({
      ...row,
      about: spoilerText === null || content === null ? null : { spoilerText, content },
    })),
  )
}
