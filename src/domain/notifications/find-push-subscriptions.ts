import { eq, type SQL, sql } from 'drizzle-orm'
import { first, jsonRows, limitTo, type Query } from '../../db/query'
import { pushSubscriptions } from '../../db/schema'
import type { NotificationId, PushSubscriptionId, TokenId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'
import { visibleTo } from '../policy/visibility'
import { isVisibleTo } from './find'

export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** Subscription of the token with this hash. */
export function subscriptionByTokenHash(ctx: Ctx, tokenHash: string): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`(select id from access_tokens where token_hash = ${tokenHash})`)
}

export function subscriptionByToken(ctx: Ctx, id: TokenId): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`${id}`)
}

function subscriptionOf(ctx: Ctx, token: SQL): Query<PushSubscriptionRow | null> {
  return first(ctx.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.accessTokenId, token)))
}

/** Whether a recipient has push enabled for one of these notifications. For the end of the batch that makes them. */
export function isPushWanted(ids: readonly NotificationId[]): SQL {
  return sql`exists (select 1 from ${jsonRows(ids)} cross join notifications n on n.id = item.value
    cross join push_subscriptions p on p.account_id = n.account_id where ${sql.raw(isAlertEnabled)})`
}

/** The alert for its kind is on. Filtered notifications are not pushed. */
const isAlertEnabled = `n.filtered = 0 and p.policy <> 'none' and p.alerts ->> n.type = 1`

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
 * Checked at the time of sending: alerts and policy of the subscription, scope of its token, status of the account, and
 * visibility of the notification and its subject, by the same rules as reads.
 */
export function duePushes({ notificationIds, subscriptionId, after, limit }: PushSelection, now: Date): SQL {
  const recipient: ViewerRef = { id: sql`n.account_id`, signedIn: true }
  const only = subscriptionId === undefined ? sql`1` : sql`p.id = ${subscriptionId}`
  const place = after ?? { subscriptionId: 0, notificationId: 0 }
  return sql`select p.id as subscription_id, n.id as notification_id
    from ${jsonRows(notificationIds)} cross join notifications n on n.id = item.value
      cross join push_subscriptions p on p.account_id = n.account_id
    where ${sql.raw(isAlertEnabled)} and ${only}
      and (p.id, n.id) > (${place.subscriptionId}, ${place.notificationId})
      and ${sql.raw(`${matchesPolicy} and ${mayPush}`)} and ${isActiveAccount('n.account_id')}
      and ${isVisibleTo(recipient, now)}
      and (n.status_id is null
        or exists (select 1 from statuses s where s.id = n.status_id and ${visibleTo(recipient)}))
    order by p.id, n.id ${limitTo(limit)}`
}

const follows = (follower: string, followed: string) =>
  `exists (select 1 from follows where account_id = n.${follower} and target_account_id = n.${followed})`

const matchesPolicy = `case p.policy when 'followed' then ${follows('account_id', 'from_account_id')}
  when 'follower' then ${follows('from_account_id', 'account_id')} else 1 end`

const mayPush = `exists (select 1 from access_tokens t
  where t.id = p.access_token_id and ' ' || t.scopes || ' ' like '% push %')`
