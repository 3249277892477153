import { type SQL, sql } from 'drizzle-orm'
import type { NotificationSubject } from '../../contract/notification-kind'
import {
  type NotificationType,
  notificationKind,
  notificationTypes,
  typeLiterals,
} from '../../contract/notification-kinds'
import { preparedSql } from '../../db/prepared'
import { first, inList, jsonRows, limitTo, map, type Query } from '../../db/query'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { blockSql } from '../policy/block-predicates'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { featuredVisibleTo } from '../policy/featuring'
import { accountHasPermission } from '../policy/permissions'
import { visibleTo } from '../policy/visibility'

/** Filter of the notifications requested. */
export interface NotificationFilter {
  readonly types: readonly NotificationType[]
  /** Only by this account, filtered or not. */
  readonly from?: AccountId | undefined
  /** Includes notifications filtered by the viewer's policy. */
  readonly withFiltered?: boolean | undefined
}

/** Selects the viewer's notification with this id, as a whole row: none when it is of another account. */
export function oneNotification(viewer: ViewerRef, id: NotificationId, now: Date): SQL {
  return sql`select n.* from notifications n
    where n.id = ${id} and n.account_id = ${viewer.id} and ${isVisibleTo(viewer, now)}`
}

/** Selects the viewer's notifications with these ids, visible or not, as whole rows. */
export function notificationsById(viewer: ViewerRef, ids: readonly NotificationId[]): SQL {
  return sql`select n.* from ${jsonRows(ids)} cross join notifications n
    on n.id = item.value and n.account_id = ${viewer.id}`
}

/** Selects the unfiltered notifications among `ids` whose recipient is one of `owners`, as whole rows. */
export function notificationsOfMany(ids: readonly NotificationId[], owners: readonly AccountId[]): SQL {
  return sql`select n.* from ${jsonRows(ids)} cross join notifications n on n.id = item.value
    where ${inList(sql`n.account_id`, owners)} and n.filtered = 0`
}

/** Upper bound of the notifications examined for a count. */
const mostExamined = 400

/** Counts notifications newer than the viewer's marker among the latest, at most `limit`. */
export function unreadCount(
  ctx: Ctx,
  viewer: ViewerRef,
  filter: NotificationFilter & { readonly limit: number },
): Query<number> {
  const unread = sql`(select 1 from (${latestUnread(viewer, filter, mostExamined)}) n
    where ${matchesFilter(filter)} and ${isVisibleTo(viewer, ctx.clock.now())}
    ${limitTo(filter.limit)}) as unread`
  const counted = ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(unread)
  return map(first(counted), (row) => row?.count ?? 0)
}

/** The latest notifications after the viewer's marker, as whole rows. */
export function latestUnread(viewer: ViewerRef, filter: NotificationFilter, most: number): SQL {
  const latest = (filtered: SQL) => sql`select n.* from notifications n
    where n.account_id = ${viewer.id} and n.filtered = ${filtered} and n.id > coalesce((select last_read_id from markers
        where markers.account_id = ${viewer.id} and markers.timeline = 'notifications'), 0)
    order by n.id desc ${limitTo(most)}`
  if (!includesFiltered(filter)) return latest(sql`0`)
  return sql`select * from (${latest(sql`0`)}) union all select * from (${latest(sql`1`)})`
}

/** Whether the notification `n` passes the filter. */
export function matchesFilter(filter: NotificationFilter, alias: 'n' | 'found' = 'n'): SQL {
  const { types, from } = filter
  const n = sql.raw(alias)
  // Literals: a bound list would be read again for every notification.
  const ofType =
    types.length === notificationTypes.length ? sql`1` : sql`${n}.type in (${sql.raw(typeLiterals(types))})`
  if (from !== undefined) return sql`(${ofType} and ${n}.from_account_id = ${from})`
  return sql`(${ofType} and ${includesFiltered(filter) ? sql`1` : sql`${n}.filtered = 0`})`
}

/** Whether the filter lets notifications through that the viewer's policy filtered. */
export function includesFiltered({ from, withFiltered = false }: NotificationFilter): boolean {
  return from !== undefined || withFiltered
}

/** Whether the viewer may see the notification `n`, by its sender and by its subject. */
export function isVisibleTo(viewer: ViewerRef, now: Date): SQL {
  return visibleNotification({ viewerId: viewer.id, now: now.getTime() })
}

const visibleNotification = preparedSql(['viewerId', 'now'], ({ viewerId, now }) => {
  const viewer = { id: viewerId, signedIn: true }
  return sql`(${senderNotBlockedOrMuted(viewer, now, sql`n.from_account_id`)} and ${isSubjectVisible(viewer)})`
})

/** Condition for each subject of a notification `n`; null where it is always visible. */
const conditions: Readonly<
  Record<Exclude<NotificationSubject, 'status'>, ((viewer: ViewerRef) => SQL) | null>
> = {
  sender: null,
  'own-status': null,
  // Visible otherwise: the status names the viewer.
  mention: ({ id }) => sql`not ${blockSql.blocks(sql`n.from_account_id`, id)}`,
  report: () => sql`exists (select 1 from reports r where r.id = n.subject_id)`,
  severance: () => sql`exists (select 1 from account_severances severed
      where severed.event_id = n.subject_id and severed.account_id = n.account_id)`,
  warning: () => sql`exists (select 1 from account_warnings warning
      where warning.id = n.subject_id and warning.target_account_id = n.account_id)`,
  'annual-report': () => sql`exists (select 1 from annual_reports report
      where report.account_id = n.account_id and report.year = n.subject_id and report.data is not null)`,
  'collection-item': (viewer) => isMember(viewer, sql`i.id = n.subject_id`),
  collection: (viewer) =>
    isMember(viewer, sql`i.account_id = n.account_id and i.collection_id = n.subject_id`),
}

/**
 * Whether the viewer may still see the subject of the notification `n`.
 *
 * Notifications for staff need the permission of their kind still, those about collections that the viewer is still in
 * them. A status may have become invisible to the viewer.
 */
function isSubjectVisible(viewer: ViewerRef): SQL {
  const cases = notificationTypes.flatMap((type) => {
    const { subject, permission } = notificationKind(type)
    if (subject === 'status') return []
    const condition = conditions[subject]?.(viewer)
    const parts = [
      ...(permission === null ? [] : [accountHasPermission(viewer.id, permission)]),
      ...(condition === undefined ? [] : [condition]),
    ]
    const whole = parts.length === 0 ? sql`1` : sql.join(parts, sql` and `)
    return [sql`when ${sql.raw(`'${type}'`)} then ${whole}`]
  })
  return sql`case n.type ${sql.join(cases, sql` `)}
    else exists (select 1 from statuses s where s.id = n.status_id and ${visibleTo(viewer)}) end`
}

function isMember(viewer: ViewerRef, item: SQL): SQL {
  return sql`exists (select 1 from collection_items i cross join collections c cross join accounts a
    where ${item} and i.account_id = n.account_id and i.state = 'accepted'
      and c.id = i.collection_id and a.id = c.account_id and ${featuredVisibleTo(viewer)})`
}
