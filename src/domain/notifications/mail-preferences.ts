import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type MailKind, mailKinds, notificationMail } from '../../contract/notification-kinds'
import { inList, jsonRows } from '../../db/query'
import { noticeMails, notifications, users } from '../../db/schema'
import type { MailSettings } from '../../db/schema/accounts'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Kinds mailed at once to all users who did not decline. */
export const urgentMailKinds = mailKinds.filter(isUrgentMail)

function isUrgentMail(kind: MailKind): boolean {
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

/**
 * Mails to one user in an hour; notifications beyond that are not mailed. Urgent kinds have as many of their own, so
 * that a flood of other mails cannot displace them.
 */
export const mailsPerHour = 20
const hourMilliseconds = 3_600_000

/** Retention of claims: longer than the outbox retries. */
const keptMilliseconds = 7 * dayMilliseconds

interface Claim {
  readonly accountId: AccountId
  readonly notificationId: NotificationId
}

/**
 * Claims the mail about a notification; false where it is claimed already or the rate limit is reached.
 *
 * Claimed before sending, so that no mail is sent twice: after a crash in between it is not sent at all.
 */
export async function claimMail(
  ctx: Ctx,
  { accountId, notificationId, kind }: Claim & { readonly kind: MailKind },
): Promise<boolean> {
  const limit = isUrgentMail(kind) ? 2 * mailsPerHour : mailsPerHour
  const now = ctx.clock.now().getTime()
  const isOld = sql`${noticeMails.accountId} = ${accountId} and ${noticeMails.claimedAt} < ${now - keptMilliseconds}`
  const [, claimed] = await commit(
    ctx,
    new Changes().add(
      ctx.db.delete(noticeMails).where(isOld),
      ctx.db.run(sql`insert into ${noticeMails} (account_id, notification_id, claimed_at)
        select ${accountId}, ${notificationId}, ${now}
        where (select count(*) from ${noticeMails} where account_id = ${accountId}
          and claimed_at > ${now - hourMilliseconds}) < ${limit}
        on conflict do nothing`),
    ),
  )
  return claimed === 1
}

/** Releases the claim on a mail that was not sent, for a retry. */
export async function releaseMail(ctx: Ctx, { accountId, notificationId }: Claim): Promise<void> {
  const own = and(eq(noticeMails.accountId, accountId), eq(noticeMails.notificationId, notificationId))
  await commit(ctx, new Changes().add(ctx.db.delete(noticeMails).where(own)))
}
