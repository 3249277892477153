import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { type NotificationType, notificationTypes } from '../../db/schema/notifications'
import { inList, jsonRows, limitTo } from '../../db/sql'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { senderNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { isSubjectVisible } from './find-subjects'

/** Which notifications are asked for. */
export interface NotificationFilter {
  readonly types: readonly NotificationType[]
  /** Only by this account, held back or not; absent: by anybody. */
  readonly from?: AccountId | undefined
  /** Also what the viewer's policy holds back of others. */
  readonly withFiltered?: boolean | undefined
}

/** The viewer's newest notifications that pass the filter, as whole rows. */
export function notificationSelection(
  viewer: ViewerRef,
  filter: NotificationFilter,
  page: Page,
  now: Date,
): SQL {
  return pageSql(
    page,
    sql`n.id`,
    (bounds) => sql`
    select n.* from notifications n
    where n.account_id = ${viewer.id} and ${bounds} and ${matchesFilter(filter)} and ${isVisibleTo(viewer, now)}`,
  )
}

/** The viewer's notification with this id, as a whole row: none when it is somebody else's. */
export function oneNotification(viewer: ViewerRef, id: NotificationId, now: Date): SQL {
  return sql`select n.* from notifications n
    where n.id = ${id} and n.account_id = ${viewer.id} and ${isVisibleTo(viewer, now)}`
}

/** The viewer's notifications with these ids, as whole rows. */
export function notificationsById(viewer: ViewerRef, ids: readonly NotificationId[]): SQL {
  return sql`select n.* from ${jsonRows(ids)} cross join notifications n
    on n.id = item.value and n.account_id = ${viewer.id}`
}

/** Those of `ids` that reached one of `owners` and no policy holds back, as whole rows. */
export function notificationsOfMany(ids: readonly NotificationId[], owners: readonly AccountId[]): SQL {
  return sql`select n.* from ${jsonRows(ids)} cross join notifications n on n.id = item.value
    where ${inList(sql`n.account_id`, owners)} and n.filtered = 0`
}

/** How many notifications are newer than the viewer's marker; counting stops at `limit`. */
export function unreadCount(
  ctx: Ctx,
  viewer: ViewerRef,
  filter: NotificationFilter & { readonly limit: number },
): Query<number> {
  const unread = sql`(select 1 from notifications n
    where n.account_id = ${viewer.id} and n.id > coalesce((select last_read_id from markers
        where markers.account_id = ${viewer.id} and markers.timeline = 'notifications'), 0)
      and ${matchesFilter(filter)} and ${isVisibleTo(viewer, ctx.clock.now())}
    ${limitTo(filter.limit)}) as unread`
  const counted = ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(unread)
  return map(first(counted), (row) => row?.count ?? 0)
}

/** Does the notification `n` pass the filter? */
export function matchesFilter({ types, from, withFiltered = false }: NotificationFilter): SQL {
  const ofType = types.length === notificationTypes.length ? sql`1` : inList(sql`n.type`, types)
  if (from !== undefined) return sql`${ofType} and n.from_account_id = ${from}`
  return sql`${ofType} and ${withFiltered ? sql`1` : sql`n.filtered = 0`}`
}

/** Is the notification `n` still fit to be shown, by whoever caused it and by what it is about? */
export function isVisibleTo(viewer: ViewerRef, now: Date): SQL {
  return sql`(${senderNotBlockedOrMuted(viewer, now, sql`n.from_account_id`)} and ${isSubjectVisible(viewer)})`
}
