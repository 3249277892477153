import { sql } from 'drizzle-orm'
import { type MailKind, mailKinds, notificationMail, typeLiterals } from '../../contract/notification-kinds'
import { inList, jsonRows, map, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, noticeMails, notifications, users } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isMailWanted, presentMilliseconds, urgentMailKinds } from './mail-preferences'

/** A notification to be mailed, and its recipient. */
export interface DueMail {
  readonly notificationId: NotificationId
  readonly kind: MailKind
  readonly accountId: AccountId
  readonly username: string
  readonly email: string
  readonly locale: string
}

const reachingSuspended = sql.raw(
  typeLiterals(mailKinds.filter((kind) => notificationMail(kind).reachesSuspended === true)),
)

/** Older notifications are not mailed. */
const newsMilliseconds = dayMilliseconds

/**
 * Notifications among `ids` to be mailed now, with their recipients. One statement.
 *
 * Left out: notifications that are filtered, older than a day, mailed already, read, or of a kind the recipient
 * declined; recipients who are active now, suspended or disabled (but for kinds that reach them). Visibility is not
 * checked.
 */
export function dueMails(ctx: Ctx, ids: readonly NotificationId[]): Query<readonly DueMail[]> {
  const now = ctx.clock.now().getTime()
  const found = rows(
    ctx.db
      .select({
        notification: prefixedColumns('n', { id: notifications.id, type: notifications.type }),
        user: prefixedColumns('u', { accountId: users.accountId, email: users.email, locale: users.locale }),
        account: prefixedColumns('a', { username: accounts.username }),
      })
      .from(sql`${jsonRows(ids)}`)
      .crossJoin(notifications)
      .crossJoin(users)
      .crossJoin(accounts)
      .where(sql`${notifications.id} = item.value and ${notifications.filtered} = 0
        and ${notifications.createdAt} > ${now - newsMilliseconds}
        and ${users.accountId} = ${notifications.accountId} and ${accounts.id} = ${users.accountId}
        and ${users.confirmedAt} is not null and ${users.approved} = 1 and ${isMailWanted()}
        and (${notifications.type} in (${reachingSuspended})
          or (${users.disabledAt} is null and ${accounts.suspendedAt} is null))
        and not exists (select 1 from ${noticeMails} where ${noticeMails.accountId} = ${users.accountId}
          and ${noticeMails.notificationId} = ${notifications.id})
        and (${users.settings} ->> '$.mail.always' = 1 or ${inList(notifications.type, urgentMailKinds)}
          or not ${isPresent(now)})`),
  )
  return map(found, (list) =>
    list.flatMap(({ notification, user, account }) => {
      const kind = mailKinds.find((known) => known === notification.type)
      return kind === undefined ? [] : [{ notificationId: notification.id, kind, ...user, ...account }]
    }),
  )
}

/**
 * Whether the recipient receives notifications by a stream, was active a moment ago, or has read this one. Lost
 * connections are only detected on streams that notifications are published to, so no other stream counts.
 */
function isPresent(now: number) {
  return sql`(coalesce(${users.lastActiveAt}, 0) > ${now - presentMilliseconds}
    or exists (select 1 from presences here cross join json_each(here.channels) channel
      where here.account_id = ${users.accountId} and channel.value in ('user', 'user:notification'))
    or exists (select 1 from markers where markers.account_id = ${users.accountId}
      and markers.timeline = 'notifications' and markers.last_read_id >= ${notifications.id}))`
}
