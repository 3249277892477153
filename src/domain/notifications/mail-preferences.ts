import { type SQL, sql } from 'drizzle-orm'
import { notifications, users } from '../../db/schema'
import { type MailKind, type MailSettings, mailKinds } from '../../db/schema/accounts'
import { inList, jsonRows } from '../../db/sql'
import type { NotificationId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'

/** These must not be missed: mailed at once to all who did not decline. Everything else waits to be asked for. */
export const urgent: readonly MailKind[] = ['moderation_warning', 'admin.report']

/** What mails of each kind are about. */
export const mailTopics: Readonly<Record<MailKind, string>> = {
  mention: 'posts that mention you',
  quote: 'quotes of your posts',
  follow: 'new followers',
  follow_request: 'requests to follow you',
  favourite: 'favourites of your posts',
  reblog: 'boosts of your posts',
  moderation_warning: 'decisions of the moderators about your account',
  'admin.report': 'new reports',
  'admin.sign_up': 'people who join this server',
}

/** How long after they did something a person counts as here. */
export const presentMilliseconds = 15 * 60_000

/** How often it is noted that they are, where mail hangs on it. */
export const presenceUpdateMilliseconds = 10 * 60_000

/** Does somebody with these settings want mail about notifications of this kind? */
export function wantsMail(settings: MailSettings | undefined, kind: MailKind): boolean {
  return settings?.[kind] ?? urgent.includes(kind)
}

/** Is it of interest at which minute somebody with these settings was here? */
export function needsPresence(settings: MailSettings | undefined): boolean {
  return settings?.always !== true && mailKinds.some((kind) => settings?.[kind] === true)
}

/** Does the user want mail about the joined notification? */
export function isMailWanted(): SQL {
  return sql`(${inList(notifications.type, mailKinds)} and coalesce(
    ${users.settings} ->> ('$.mail."' || ${notifications.type} || '"'), ${inList(notifications.type, urgent)}) = 1)`
}

/**
 * Adds to `changes` that some of these new notifications are to be mailed, where anybody wants that.
 *
 * Emits `notice.mail_wanted`.
 */
export function requestMails(
  ctx: Ctx,
  changes: Changes,
  notices: readonly { readonly id: NotificationId; readonly type: string }[],
): void {
  const kinds: readonly string[] = mailKinds
  const notificationIds = notices.filter(({ type }) => kinds.includes(type)).map(({ id }) => id)
  if (ctx.mailer === null || notificationIds.length === 0) return
  const isWanted = sql`exists (select 1 from ${jsonRows(notificationIds)} cross join ${notifications} cross join ${users}
    where ${notifications.id} = item.value and ${notifications.filtered} = 0
      and ${users.accountId} = ${notifications.accountId} and ${isMailWanted()})`
  changes.enqueueWhere(isWanted, { kind: 'send-notification-emails', notificationIds })
}
