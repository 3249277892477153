import type { SQL } from 'drizzle-orm'
import { combineQueries, map, type Query } from '../../db/query'
import type { ViewerRef } from '../../domain/core/viewer'
import type { AccountId, NotificationId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountBundle, loadAccounts } from './accounts'
import { loadStatuses, type StatusBundle, statusesById } from './statuses'

/** Figures of a request: the filtered notifications of one sender. */
export interface RequestFacts {
  readonly id: NotificationId
  readonly from: AccountId
  readonly count: number
  readonly latestId: NotificationId
  readonly lastStatusId: StatusId | null
}

/** Requests with their senders and latest statuses, as far as the viewer may see them. */
export interface RequestBundle {
  readonly requests: readonly RequestFacts[]
  readonly people: AccountBundle
  readonly statuses: StatusBundle
}

/** Loads what requests name; `senders` selects their accounts. */
export function loadRequests(
  ctx: Ctx,
  viewer: ViewerRef,
  { requests, senders }: { readonly requests: readonly RequestFacts[]; readonly senders: SQL },
): Query<RequestBundle> {
  const statusIds = requests.flatMap(({ lastStatusId }) => lastStatusId ?? [])
  const found = combineQueries({
    people: loadAccounts(ctx, senders),
    statuses: loadStatuses(ctx, viewer, statusesById(statusIds)),
  })
  return map(found, ({ people, statuses }) => ({ requests, people, statuses }))
}
