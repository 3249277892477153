import type { NotificationRequest } from '../../contract/entities/notification'
import { instantOf } from '../../lib/ids'
import type { RequestBundle } from '../load/notification-requests'
import { presentAccount } from './account'
import { type PresentContext, presentStatus } from './status'
import { timestamp } from './time'

/** Presents requests with their senders. Those of accounts that the viewer may not see are left out. */
export function presentRequests(
  showing: PresentContext,
  { requests, people, statuses }: RequestBundle,
): NotificationRequest[] {
  const visible = new Set(statuses.ids)
  return requests
    .filter(({ from }) => people.accounts.has(from))
    .map(({ id, from, count, latestId, lastStatusId }) => ({
      id: String(id),
      created_at: timestamp(instantOf(id)),
      updated_at: timestamp(instantOf(latestId)),
      account: presentAccount(showing.config, people, from),
      notifications_count: String(count),
      last_status:
        lastStatusId === null || !visible.has(lastStatusId)
          ? null
          : presentStatus(showing, statuses, lastStatusId),
    }))
}
