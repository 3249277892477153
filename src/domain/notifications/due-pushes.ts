import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { inList, jsonRows, limitTo } from '../../db/query'
import {
  accessTokens,
  browserPushSubscriptions,
  notifications,
  pushSubscriptions,
  roles,
  sessions,
  statuses,
  users,
} from '../../db/schema'
import type { NotificationId, PushSubscriptionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { ViewerRef } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'
import { lacksSecondFactor } from '../policy/second-factor'
import { visibleTo } from '../policy/visibility'
import { isVisibleTo } from './find'

/** Whether a recipient has push enabled for one of these notifications. For the end of the batch that makes them. */
export function isPushWanted(ids: readonly NotificationId[]): SQL {
  const isWantedBy = (table: SQLiteTable) =>
    sql`exists (select 1 from ${table} push where push.account_id = n.account_id and ${sql.raw(isAlertEnabled)})`
  return sql`exists (select 1 from ${jsonRows(ids)} cross join ${notifications} n on n.id = item.value
    where ${isWantedBy(pushSubscriptions)} or ${isWantedBy(browserPushSubscriptions)})`
}

/** The alert for its kind is on. Filtered notifications are not pushed. */
const isAlertEnabled = `n.filtered = 0 and push.policy <> 'none' and push.alerts ->> n.type = 1`

/** A notification for the subscription of one application. */
export interface PushPair {
  readonly subscriptionId: PushSubscriptionId
  readonly notificationId: NotificationId
}

export interface PushSelection {
  readonly notificationIds: readonly NotificationId[]
  /** Restricts the selection to this subscription. */
  readonly subscriptionId?: PushSubscriptionId
  /** Last pair already handled. */
  readonly after?: PushPair | undefined
  readonly limit: number
}

/**
 * Selects the pushes due for some notifications as rows (subscription_id, notification_id), in the order of both.
 *
 * Checked at the time of sending: alerts and policy of the subscription, scope of its token or life of its session, status
 * of the account, and visibility of the notification and its subject, by the same rules as reads.
 */
export function duePushes({ notificationIds, subscriptionId, after, limit }: PushSelection, now: Date): SQL {
  const recipient: ViewerRef = { id: sql`n.account_id`, signedIn: true }
  const only = subscriptionId === undefined ? sql`1` : sql`push.id = ${subscriptionId}`
  const place = after ?? { subscriptionId: 0, notificationId: 0 }
  const dueFor = (
    table: SQLiteTable,
    isHeld: SQL,
  ) => sql`select push.id as subscription_id, n.id as notification_id
    from ${jsonRows(notificationIds)} cross join ${notifications} n on n.id = item.value
      cross join ${table} push on push.account_id = n.account_id
    where ${sql.raw(isAlertEnabled)} and ${only}
      and (push.id, n.id) > (${place.subscriptionId}, ${place.notificationId})
      and ${sql.raw(matchesPolicy)} and ${isHeld} and ${isActiveAccount('n.account_id')}
      and ${isVisibleTo(recipient, now)}
      and (n.status_id is null
        or exists (select 1 from ${statuses} s where s.id = n.status_id and ${visibleTo(recipient)}))`
  return sql`${dueFor(pushSubscriptions, mayPush)} union all ${dueFor(browserPushSubscriptions, isSessionLive(now))}
    order by subscription_id, notification_id ${limitTo(limit)}`
}

const follows = (follower: string, followed: string) =>
  `exists (select 1 from follows where account_id = n.${follower} and target_account_id = n.${followed})`

const matchesPolicy = `case push.policy when 'followed' then ${follows('account_id', 'from_account_id')}
  when 'follower' then ${follows('from_account_id', 'account_id')} else 1 end`

const mayPush = sql`exists (select 1 from ${accessTokens}
  where ${accessTokens.id} = push.access_token_id and ' ' || ${accessTokens.scopes} || ' ' like '% push %')`

/** The session of `push` has not expired, and pages open to it: the second factor that its role requires is set up. */
function isSessionLive(now: Date): SQL {
  return sql`exists (select 1 from ${sessions} cross join ${users} on ${users.accountId} = ${sessions.accountId}
    left join ${roles} on ${roles.id} = ${users.roleId}
    where ${sessions.id} = push.session_id and ${sessions.expiresAt} > ${now.getTime()} and not ${lacksSecondFactor})`
}

/** A subscription is deleted after this many consecutive failures. */
const mostFailures = 10

/** Outcomes of pushes by subscription. */
interface PushResults {
  /** Successful after failures. */
  readonly recovered: readonly PushSubscriptionId[]
  readonly refused: readonly PushSubscriptionId[]
  /** No longer known to the push service. */
  readonly gone: readonly PushSubscriptionId[]
}

/** Deletes subscriptions that are gone or failed too often and counts other failures. Writes nothing without a change. */
export async function recordPushResults(ctx: Ctx, { recovered, refused, gone }: PushResults): Promise<void> {
  const changes = new Changes()
  // Ids of one table are none of the other.
  for (const table of [pushSubscriptions, browserPushSubscriptions]) {
    const { id, failures } = table
    const gaveUp = sql`(${inList(id, refused)} and ${failures} >= ${mostFailures - 1})`
    if (gone.length + refused.length > 0)
      changes.add(ctx.db.delete(table).where(sql`${inList(id, gone)} or ${gaveUp}`))
    if (refused.length > 0)
      changes.add(
        ctx.db
          .update(table)
          .set({ failures: sql`${failures} + 1` })
          .where(inList(id, refused)),
      )
    if (recovered.length > 0)
      changes.add(ctx.db.update(table).set({ failures: 0 }).where(inList(id, recovered)))
  }
  await commit(ctx, changes)
}
