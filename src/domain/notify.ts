import { sql } from 'drizzle-orm'
import type { Ctx } from '../context'
import { notifications } from '../db/schema'
import type { NotificationType } from '../db/schema/notifications'
import { each } from '../db/sql'
import type { AccountId, StatusId } from '../lib/ids'

export interface Notice {
  readonly to: AccountId
  readonly type: NotificationType
  readonly from: AccountId
  readonly statusId: StatusId | null
}

/** Deeds of these kinds toward one status (or person) are shown as one entry when they fall into the same hours. */
const groupedTypes: readonly NotificationType[] = ['favourite', 'reblog', 'follow']
const groupHours = 12

/**
 * A statement that notifies the local people among `notices`, for the batch that makes the change.
 *
 * Left out where the recipient blocks, mutes (with notifications) or domain-blocks the sender, muted the
 * conversation, or is the sender (who hears all the same that their own poll ended). The same deed notifies once, however often it is repeated.
 */
export function notify(ctx: Ctx, notices: readonly Notice[]) {
  const now = ctx.clock.now()
  const entries = notices
    .filter((notice) => notice.to !== notice.from || notice.type === 'poll')
    .map((notice) => ({ ...notice, id: ctx.ids.next(), group: groupKey(notice, now) }))
  return ctx.db.run(sql`
    insert into ${notifications} (id, account_id, type, from_account_id, status_id, group_key, created_at)
    select item.value ->> 'id', u.account_id, item.value ->> 'type', item.value ->> 'from',
      item.value ->> 'statusId', item.value ->> 'group', ${now.getTime()}
    from ${each(entries)} join users u on u.account_id = item.value ->> 'to'
    where not exists (select 1 from blocks where blocks.account_id = u.account_id
        and blocks.target_account_id = item.value ->> 'from')
      and not exists (select 1 from mutes where mutes.account_id = u.account_id
        and mutes.target_account_id = item.value ->> 'from' and mutes.hide_notifications = 1
        and (mutes.expires_at is null or mutes.expires_at > ${now.getTime()}))
      and not exists (select 1 from account_domain_blocks blocked
        join accounts a on a.domain = blocked.domain
        where blocked.account_id = u.account_id and a.id = item.value ->> 'from')
      and not exists (select 1 from conversation_mutes c
        join statuses s on s.conversation_id = c.conversation_id
        where c.account_id = u.account_id and s.id = item.value ->> 'statusId')
    on conflict do nothing`)
}

function groupKey(notice: Notice, now: Date): string | null {
  if (!groupedTypes.includes(notice.type)) return null
  const bucket = Math.floor(now.getTime() / (groupHours * 3_600_000))
  return notice.type === 'follow' ? `follow-${bucket}` : `${notice.type}-${notice.statusId}-${bucket}`
}
