import { type SQL, sql } from 'drizzle-orm'
import { type NotificationType, notificationKind, pushAlerts } from '../../contract/notification-kinds'
import { jsonRows } from '../../db/query'
import { notifications } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, NotificationId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { settingKey } from '../instance/settings'
import { blockSql } from '../policy/block-predicates'
import { isPushWanted } from './due-pushes'
import { bucketAt } from './groups'
import { requestMails } from './mail-preferences'

export interface NewNotification {
  readonly to: AccountId
  readonly type: NotificationType
  readonly from: AccountId
  readonly statusId: StatusId | null
  /** Subject other than a status; see `notifications.subjectId`. */
  readonly subjectId?: number
  /** The status has visibility `direct`. */
  readonly isDirect?: boolean
}

/**
 * Adds notifications for the local recipients among `newNotifications`, and publishes, pushes and mails them.
 *
 * Left out where the recipient blocks, mutes (with notifications) or domain-blocks the sender, muted the
 * conversation, or is the sender (but for kinds with `isFromSelf`), and where the recipient's policy drops it. A
 * notification that the policy filters is marked. A repeated interaction notifies once.
 * Publishes `notifications.made`.
 */
export function notify(ctx: Ctx, changes: Changes, newNotifications: readonly NewNotification[]): void {
  const now = ctx.clock.now()
  const entries = newNotifications
    .filter((entry) => entry.to !== entry.from || notificationKind(entry.type).isFromSelf)
    .map((entry) => ({
      ...entry,
      id: ctx.ids.next(),
      group: groupKey(entry, now),
      filterable: notificationKind(entry.type).isFilterable ? 1 : 0,
      direct: notificationKind(entry.type).subject === 'mention' && entry.isDirect === true ? 1 : 0,
    }))
  if (entries.length === 0) return
  // The limits keep SQLite from computing the level twice.
  const made = ctx.db.run(sql`
    insert into ${notifications}
      (id, account_id, type, from_account_id, status_id, subject_id, group_key, created_at, filtered)
    select id, account_id, type, from_account_id, status_id, subject_id, group_key, ${now.getTime()}, level
    from (select item.value ->> 'id' as id, u.account_id, item.value ->> 'type' as type,
      item.value ->> 'from' as from_account_id, item.value ->> 'statusId' as status_id,
      item.value ->> 'subjectId' as subject_id, item.value ->> 'group' as group_key,
      ${policyLevel(now)} level
    from ${jsonRows(entries)} join users u on u.account_id = item.value ->> 'to'
      left join notification_policies p on p.account_id = u.account_id
    where not ${blockSql.blocks(recipient, sender)}
      and not ${blockSql.mutesNotifications(recipient, sender, now.getTime())}
      and not ${blockSql.blocksDomainOf(recipient, sender)}
      and not exists (select 1 from conversation_mutes c
        join statuses s on s.conversation_id = c.conversation_id
        where c.account_id = u.account_id and s.id = item.value ->> 'statusId')
    limit -1)
    where level < 2
    on conflict do nothing`)
  changes.add(made).publish({ kind: 'notifications.made', ids: entries.map(({ id }) => id) })
  requestPushes(changes, entries)
  requestMails(ctx, changes, entries)
}

/** Recipient and sender of the notification `item` in `notify`. */
const recipient = sql.raw('u.account_id')
const sender = sql.raw("item.value ->> 'from'")

/** Minimum age of a follow to count as a follower, and of an account not to count as new. */
const newcomerPeriods = { followers: 3 * dayMilliseconds, accounts: 30 * dayMilliseconds }

/**
 * Level (0, 1 or 2) that the policy of the recipient `u` assigns to a notification. Conditions that are not set are not
 * evaluated. Staff reach every account below them, permitted senders always.
 */
function policyLevel(now: Date): SQL {
  const before = (period: number) => sql.raw(String(now.getTime() - period))
  const where = (column: string, standard: number, condition: SQL) =>
    sql`case when coalesce(${sql.raw(`p.${column}`)}, ${sql.raw(String(standard))}) > 0 and ${condition}
      then coalesce(${sql.raw(`p.${column}`)}, ${sql.raw(String(standard))}) else 0 end`
  const stranger = sql`not exists (select 1 from follows f
    where f.account_id = u.account_id and f.target_account_id = item.value ->> 'from')`
  const senderIs = (fact: SQL) =>
    sql`exists (select 1 from accounts sender where sender.id = item.value ->> 'from' and ${fact})`
  return sql`case when item.value ->> 'filterable' = 0 then 0
    else (select case when level > 0 and (${isPermittedSender} or ${isStaffAboveRecipient}) then 0 else level end from (select max(
      ${where('not_following', 0, stranger)},
      ${where(
        'not_followers',
        0,
        sql`not exists (select 1 from follows back where back.account_id = item.value ->> 'from'
          and back.target_account_id = u.account_id and back.created_at < ${before(newcomerPeriods.followers)})`,
      )},
      ${where(
        'new_accounts',
        0,
        sql`${senderIs(sql`sender.created_at > ${before(newcomerPeriods.accounts)}`)} and ${stranger}`,
      )},
      ${where('private_mentions', 1, sql`${isUnaskedDirect} and ${stranger}`)},
      ${where('limited_accounts', 1, sql`${senderIs(sql`sender.silenced_at is not null`)} and ${stranger}`)},
      ${where('bots', 0, sql`${senderIs(sql`sender.actor_type in ('Application', 'Service')`)} and ${stranger}`)},
      ${isQuarantined}
    ) as level limit -1)) end`
}

/**
 * 1 for a mention by a remote account that no member follows, where the setting holds these back. An answer to a local
 * status that mentions the sender comes through.
 */
const isQuarantined = sql.raw(`case when item.value ->> 'type' = 'mention'
  and exists (select 1 from settings where key = '${settingKey('quarantineMentions')}' and value = 'true')
  and exists (select 1 from accounts sender where sender.id = item.value ->> 'from' and sender.domain is not null)
  and not exists (select 1 from follows f where f.target_account_id = item.value ->> 'from')
  and not exists (select 1 from statuses s cross join statuses asked on asked.id = s.in_reply_to_id
    cross join status_mentions m on m.status_id = asked.id and m.account_id = item.value ->> 'from'
    where s.id = item.value ->> 'statusId' and asked.local = 1) then 1 else 0 end`)

const isPermittedSender = sql.raw(`exists (select 1 from notification_permissions permitted
  where permitted.account_id = u.account_id and permitted.from_account_id = item.value ->> 'from')`)

const isStaffAboveRecipient = sql.raw(`exists (select 1 from users staff join roles r on r.id = staff.role_id
  where staff.account_id = item.value ->> 'from'
    and r.position > coalesce((select own.position from roles own where own.id = u.role_id), -1))`)

/** Levels of a thread searched upwards for a reply. */
const levels = 100

/**
 * A direct mention that replies to no direct status from the recipient to the sender. Direct statuses to other accounts
 * do not count: their addressees could admit unknown accounts by mentioning them in a reply.
 */
const isUnaskedDirect = sql.raw(`item.value ->> 'direct' = 1
  and not exists (
    with recursive above(id, up, author_id, visibility, n) as
      (select s.id, s.in_reply_to_id, s.account_id, s.visibility, 0 from statuses s where s.id = item.value ->> 'statusId'
      union all
      select s.id, s.in_reply_to_id, s.account_id, s.visibility, above.n + 1
        from above cross join statuses s on s.id = above.up where above.n < ${levels})
    select 1 from above cross join status_mentions named
      on named.status_id = above.id and named.account_id = item.value ->> 'from'
      where above.author_id = u.account_id and above.visibility = 'direct')`)

function groupKey({ type, statusId }: NewNotification, now: Date): string | null {
  const { grouping } = notificationKind(type)
  if (grouping === null) return null
  const bucket = bucketAt(now)
  return grouping === 'by-time' ? `${type}-${bucket}` : `${type}-${statusId}-${bucket}`
}

const pushable: ReadonlySet<string> = new Set(pushAlerts)

/**
 * Enqueues `send-push` for these new notifications where a recipient subscribed to one.
 */
function requestPushes(
  changes: Changes,
  newNotifications: readonly { readonly id: NotificationId; readonly type: string }[],
): void {
  const notificationIds = newNotifications.filter(({ type }) => pushable.has(type)).map(({ id }) => id)
  if (notificationIds.length > 0)
    changes.enqueueWhere(isPushWanted(notificationIds), { kind: 'send-push', notificationIds })
}
