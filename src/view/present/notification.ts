import type { Notification } from '../../contract/entities/notification'
import type { NotificationBundle, NotificationFacts } from '../load/notifications'
import { accountEntity } from './account'
import { presentStatus, type Showing } from './status'
import { timestamp } from './time'

/** The notifications of a bundle in its order. */
export function presentNotifications(showing: Showing, bundle: NotificationBundle): Notification[] {
  return bundle.notifications.map((facts) => presentNotification(showing, bundle, facts))
}

/** One notification with the account that caused it and, where it is about one, the status. */
export function presentNotification(
  showing: Showing,
  bundle: NotificationBundle,
  { notification, sender, role }: NotificationFacts,
): Notification {
  const { id, type, groupKey, statusId, filtered } = notification
  return {
    id: String(id),
    type,
    group_key: groupKey ?? `ungrouped-${id}`,
    created_at: timestamp(notification.createdAt),
    account: accountEntity(showing.config, sender, role),
    ...(statusId === null ? {} : { status: presentStatus(showing, bundle.statuses, statusId) }),
    ...(filtered ? { filtered } : {}),
  }
}
