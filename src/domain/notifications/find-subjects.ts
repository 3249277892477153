import { type SQL, sql } from 'drizzle-orm'
import type { NotificationSubject } from '../../contract/notification-kind'
import { notificationKind, notificationTypes } from '../../contract/notification-kinds'
import type { ViewerRef } from '../core/viewer'
import { blockSql } from '../policy/block-predicates'
import { featuredVisibleTo } from '../policy/collections'
import { accountHasPermission } from '../policy/permissions'
import { visibleTo } from '../policy/visibility'

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
export function isSubjectVisible(viewer: ViewerRef): SQL {
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
