import type { WebPushSubscription } from '../../contract/entities/web-push-subscription'
import type { pushSubscriptions } from '../../db/schema'

type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** Presents a subscription to its application: without the keys, which it has. */
export function presentPushSubscription(row: PushSubscriptionRow, serverKey: string): WebPushSubscription {
  const { id, endpoint, standard, alerts, policy } = row
  return { id, endpoint, standard, server_key: serverKey, alerts, policy }
}
