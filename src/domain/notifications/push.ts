import { pushAlerts } from '../../contract/notification-kinds'
import type { NotificationId } from '../../lib/ids'
import type { Changes } from '../core/changes'
import { isPushWanted } from './find-push-subscriptions'

const pushable: ReadonlySet<string> = new Set(pushAlerts)

/**
 * Enqueues `send-push` for these new notifications where a recipient subscribed to one.
 */
export function requestPushes(
  changes: Changes,
  newNotifications: readonly { readonly id: NotificationId; readonly type: string }[],
): void {
  const notificationIds = newNotifications.filter(({ type }) => pushable.has(type)).map(({ id }) => id)
  if (notificationIds.length > 0)
    changes.enqueueWhere(isPushWanted(notificationIds), { kind: 'send-push', notificationIds })
}
