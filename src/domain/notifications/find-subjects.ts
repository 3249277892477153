import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'
import { featuredVisibleTo } from '../policy/collections'
import { accountHasPermission } from '../policy/permissions'
import { visibleTo } from '../policy/visibility'

/**
 * May the viewer still know what the notification `n` is about?
 *
 * The first deeds concern the viewer's own statuses, and a mention is seen unless its author blocks the viewer. Of a
 * collection they hear as long as they are in it, of what is for staff as long as they are staff. The rest points to a
 * status the viewer may have lost sight of.
 */
export function isSubjectVisible(viewer: ViewerRef): SQL {
  const me = viewer.id
  return sql`case n.type
    when 'favourite' then 1 when 'reblog' then 1 when 'follow' then 1 when 'follow_request' then 1
    when 'mention' then not exists (select 1 from blocks
      where blocks.account_id = n.from_account_id and blocks.target_account_id = ${me})
    when 'admin.sign_up' then ${accountHasPermission(me, 'manageUsers')}
    when 'admin.report' then ${accountHasPermission(me, 'manageReports')}
      and exists (select 1 from reports r where r.id = n.subject_id)
    when 'severed_relationships' then exists (select 1 from account_severances severed
      where severed.event_id = n.subject_id and severed.account_id = n.account_id)
    when 'moderation_warning' then exists (select 1 from account_warnings warning
      where warning.id = n.subject_id and warning.target_account_id = n.account_id)
    when 'annual_report' then exists (select 1 from annual_reports report
      where report.account_id = n.account_id and report.year = n.subject_id and report.data is not null)
    when 'added_to_collection' then ${isMember(viewer, sql`i.id = n.subject_id`)}
    when 'collection_update' then ${isMember(viewer, sql`i.account_id = n.account_id and i.collection_id = n.subject_id`)}
    else exists (select 1 from statuses s where s.id = n.status_id and ${visibleTo(viewer)}) end`
}

function isMember(viewer: ViewerRef, item: SQL): SQL {
  return sql`exists (select 1 from collection_items i cross join collections c cross join accounts a
    where ${item} and i.account_id = n.account_id and i.state = 'accepted'
      and c.id = i.collection_id and a.id = c.account_id and ${featuredVisibleTo(viewer)})`
}
