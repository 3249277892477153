import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { accounts, noticeMails, notifications, users } from '../../db/schema'
import { type MailKind, mailKinds } from '../../db/schema/accounts'
import { inList, jsonRows, prefixedColumns } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { isMailWanted, presentMilliseconds, urgent } from './mail-preferences'

/** A notification somebody is to be mailed about. */
export interface DueMail {
  readonly notificationId: NotificationId
  readonly kind: MailKind
  readonly accountId: AccountId
  readonly username: string
  readonly email: string
}

/** What is older is no news any more. */
const newsMilliseconds = dayMilliseconds

/**
 * Which of these notifications are to be mailed now, and to whom. One statement.
 *
 * Left out are those nobody wants mail about, those held back or mailed already, old ones, and those of people who
 * are locked out (but for hearing that they are), are here now or have read them. Whether they may be shown at all
 * is not looked at.
 */
export function dueMails(ctx: Ctx, ids: readonly NotificationId[]): Query<readonly DueMail[]> {
  const now = ctx.clock.now().getTime()
  const found = rows(
    ctx.db
      .select({
        notice: prefixedColumns('n', { id: notifications.id, type: notifications.type }),
        user: prefixedColumns('u', { accountId: users.accountId, email: users.email }),
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
        and (${notifications.type} = 'moderation_warning'
          or (${users.disabledAt} is null and ${accounts.suspendedAt} is null))
        and not exists (select 1 from ${noticeMails} where ${noticeMails.accountId} = ${users.accountId}
          and ${noticeMails.notificationId} = ${notifications.id})
        and (${users.settings} ->> '$.mail.always' = 1 or ${inList(notifications.type, urgent)}
          or not ${isPresent(now)})`),
  )
  return map(found, (list) =>
    list.flatMap(({ notice, user, account }) => {
      const kind = mailKinds.find((one) => one === notice.type)
      return kind === undefined ? [] : [{ notificationId: notice.id, kind, ...user, ...account }]
    }),
  )
}

/**
 * Is told by a stream, did something a moment ago, or has read that far. Whose connections are gone without a word is
 * found out by telling them: of other streams nothing would tell.
 */
function isPresent(now: number) {
  return sql`(coalesce(${users.lastActiveAt}, 0) > ${now - presentMilliseconds}
    or exists (select 1 from presences here cross join json_each(here.channels) heard
      where here.account_id = ${users.accountId} and heard.value in ('user', 'user:notification'))
    or exists (select 1 from markers where markers.account_id = ${users.accountId}
      and markers.timeline = 'notifications' and markers.last_read_id >= ${notifications.id}))`
}
