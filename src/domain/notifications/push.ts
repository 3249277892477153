import { pushAlerts } from '../../db/schema/push'
import type { NotificationId } from '../../lib/ids'
import type { Changes } from '../core/changes'
import { isPushWanted } from './find-push-subscriptions'

const pushable: ReadonlySet<string> = new Set(pushAlerts)

/**
 * Adds to `changes` that some of these new notifications are to be pushed, where anybody wants that.
 *
 * Emits `push.wanted`.
 */
export function requestPushes(
  changes: Changes,
  notices: readonly { readonly id: NotificationId; readonly type: string }[],
): void {
  const notificationIds = notices.filter(({ type }) => pushable.has(type)).map(({ id }) => id)
  if (notificationIds.length > 0)
    changes.enqueueWhere(isPushWanted(notificationIds), { kind: 'send-push', notificationIds })
}
