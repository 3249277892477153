import { pushAlerts } from '../db/schema/push'
import type { NotificationId } from '../lib/ids'
import type { Changes } from './changes'
import { isPushWanted } from './push/find'

/** A message of the queue holds some six times as many ids. */
const mostPerEvent = 1_000

const pushable: ReadonlySet<string> = new Set(pushAlerts)

/**
 * Adds to `changes` that some of these new notifications are to be pushed, where anybody wants that.
 *
 * Emits `push.wanted`.
 */
export function addPushes(
  changes: Changes,
  notices: readonly { readonly id: NotificationId; readonly type: string }[],
): void {
  const ids = notices.filter(({ type }) => pushable.has(type)).map(({ id }) => id)
  for (let start = 0; start < ids.length; start += mostPerEvent) {
    const notificationIds = ids.slice(start, start + mostPerEvent)
    changes.emitWhere(isPushWanted(notificationIds), { kind: 'push.wanted', notificationIds })
  }
}
