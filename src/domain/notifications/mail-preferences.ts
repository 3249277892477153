import { type SQL, sql } from 'drizzle-orm'
import { type MailKind, mailKinds, notificationMail } from '../../contract/notification-kinds'
import { notifications, users } from '../../db/schema'
import type { MailSettings } from '../../db/schema/accounts'
import { inList, jsonRows } from '../../db/sql'
import type { NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/** Kinds mailed at once to all users who did not decline. */
export const urgentMailKinds = mailKinds.filter(isUrgentMail)

export function isUrgentMail(kind: MailKind): boolean {
  return notificationMail(kind).isUrgent === true
}

/** Time after the last activity during which a user counts as active. */
export const presentMilliseconds = 15 * 60_000

/** Interval at which activity is recorded for users whose mails depend on it. */
export const presenceUpdateMilliseconds = 10 * 60_000

/** Whether these settings ask for mail about notifications of this kind. */
export function wantsMail(settings: MailSettings | undefined, kind: MailKind): boolean {
  return settings?.[kind] ?? isUrgentMail(kind)
}

/** Whether mails under these settings depend on the minute of the last activity. */
export function needsPresence(settings: MailSettings | undefined): boolean {
  return settings?.always !== true && mailKinds.some((kind) => settings?.[kind] === true)
}

/** Condition: the joined user wants mail about the joined notification. */
export function isMailWanted(): SQL {
  return sql`(${inList(notifications.type, mailKinds)} and coalesce(
    ${users.settings} ->> ('$.mail."' || ${notifications.type} || '"'), ${inList(notifications.type, urgentMailKinds)}) = 1)`
}

/**
 * Enqueues `send-notification-emails` for these new notifications where a recipient wants mail about one.
 */
export function requestMails(
  ctx: Ctx,
  changes: Changes,
  newNotifications: readonly { readonly id: NotificationId; readonly type: string }[],
): void {
  const kinds: readonly string[] = mailKinds
  const notificationIds = newNotifications.filter(({ type }) => kinds.includes(type)).map(({ id }) => id)
  if (ctx.mailer === null || notificationIds.length === 0) return
  const isWanted = sql`exists (select 1 from ${jsonRows(notificationIds)} cross join ${notifications} cross join ${users}
    where ${notifications.id} = item.value and ${notifications.filtered} = 0
      and ${users.accountId} = ${notifications.accountId} and ${isMailWanted()})`
  changes.enqueueWhere(isWanted, { kind: 'send-notification-emails', notificationIds })
}
