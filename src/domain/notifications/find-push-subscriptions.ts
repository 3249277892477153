import { eq, type SQL, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { pushSubscriptions } from '../../db/schema'
import { jsonRows, limitTo } from '../../db/sql'
import type { NotificationId, PushSubscriptionId, TokenId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { ViewerRef } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'
import { visibleTo } from '../policy/visibility'
import { isVisibleTo } from './find'

export type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** The subscription of the token with this hash. */
export function subscriptionByTokenHash(ctx: Ctx, tokenHash: string): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`(select id from access_tokens where token_hash = ${tokenHash})`)
}

export function subscriptionByToken(ctx: Ctx, id: TokenId): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`${id}`)
}

function subscriptionOf(ctx: Ctx, token: SQL): Query<PushSubscriptionRow | null> {
  return first(ctx.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.accessTokenId, token)))
}

/** Does a person among whom the notifications reach want to be told of one by push? For the end of their batch. */
export function isPushWanted(ids: readonly NotificationId[]): SQL {
  return sql`exists (select 1 from ${jsonRows(ids)} cross join notifications n on n.id = item.value
    cross join push_subscriptions p on p.account_id = n.account_id where ${sql.raw(isAlertEnabled)})`
}

/** The alert for its kind is on. What waits for its recipient is not pushed. */
const isAlertEnabled = `n.filtered = 0 and p.policy <> 'none' and p.alerts ->> n.type = 1`

/** One notification for one application. */
export interface PushPair {
  readonly subscriptionId: PushSubscriptionId
  readonly notificationId: NotificationId
}

export interface PushSelection {
  readonly notificationIds: readonly NotificationId[]
  /** Only for this subscription; absent: for all. */
  readonly subscriptionId?: PushSubscriptionId
  /** Those before and at this place are done. */
  readonly after?: PushPair | undefined
  readonly limit: number
}

/**
 * What is to be pushed of some notifications now, as rows (subscription_id, notification_id) in the order of both.
 *
 * What holds when it is sent counts: choices and policy of the subscription, the scope of its token, the standing of
 * the person, and whether they may see the notification and what it is about, by the rules that reads go by.
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
