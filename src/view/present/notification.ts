import type { Notification } from '../../contract/entities/notification'
import type { NotificationBundle, NotificationFacts } from '../load/notifications'
import { accountEntity } from './account'
import { presentFallback } from './notification-fallback'
import { type PresentContext, presentStatus } from './status'
import { presentSubject } from './subject'
import { timestamp } from './time'

/** Presents the notifications of a bundle in its order. `supported`: the types the app declared, if it did. */
export function presentNotifications(
  showing: PresentContext,
  bundle: NotificationBundle,
  supported: readonly string[] | null = null,
): Notification[] {
  return bundle.notifications.map((facts) => ({
    ...presentNotification(showing, bundle, facts),
    ...presentFallback(showing.config, facts, supported),
  }))
}

/** Presents a notification with the account that caused it and its subject. */
export function presentNotification(
  showing: PresentContext,
  bundle: NotificationBundle,
  facts: NotificationFacts,
): Notification {
  const { notification, sender, role } = facts
  const { id, type, groupKey, statusId, filtered } = notification
  const status = statusId === null ? null : presentStatus(showing, bundle.statuses, statusId)
  const account = accountEntity(showing.config, sender, role)
  return {
    id: String(id),
    type,
    group_key: groupKey ?? `ungrouped-${id}`,
    created_at: timestamp(notification.createdAt),
    // The status shown counts among those of its author.
    account: status?.account.id === account.id ? status.account : account,
    ...(status === null ? {} : { status }),
    ...presentSubject(showing.config, facts),
    ...(filtered ? { filtered } : {}),
  }
}
