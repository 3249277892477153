import { type SQL, sql } from 'drizzle-orm'
import type { AccountId } from '../../lib/ids'
import { authorNotHidden } from '../policy/hiding'
import { visibleTo } from '../policy/visibility'
import type { ViewerRef } from '../viewer'
import { type Page, pageSql } from './page'

/** What the statuses of an account are narrowed to. */
export interface AccountFilter {
  /** An id, or a sub-select of one. */
  readonly owner: AccountId | SQL
  readonly onlyMedia: boolean
  readonly excludeReplies: boolean
  readonly excludeReblogs: boolean
  readonly excludeDirect: boolean
  /** Leaves out what is unlisted, for readers that pass things on. */
  readonly onlyPublic?: boolean
  /** A normalised hashtag. */
  readonly tagged: string | null
}

/**
 * The newest statuses of one account as far as the viewer may see them, as rows (id, cursor).
 *
 * Whoever mutes or blocks an account and still looks at its profile means to see it, so only reblogs of people
 * the viewer hides are left out.
 */
export function accountSelection(viewer: ViewerRef, filter: AccountFilter, page: Page, now: Date): SQL {
  return pageSql(
    page,
    sql`s.id`,
    (bounds) => sql`
    select s.id as id, s.id as cursor
    from statuses s
    where s.account_id = ${filter.owner} and ${bounds} and ${narrowedTo(filter)}
      and ${visibleTo(viewer)} and ${sharesNobodyHidden(viewer, filter.owner, now)}`,
  )
}

/** The statuses an account pinned, newest pin first; the cursor is the id of the pin. */
export function pinnedSelection(viewer: ViewerRef, owner: AccountId | SQL, page: Page): SQL {
  return pageSql(
    page,
    sql`p.id`,
    (bounds) => sql`
    select s.id as id, p.id as cursor
    from status_pins p join statuses s on s.id = p.status_id
    where p.account_id = ${owner} and s.account_id = ${owner} and ${bounds} and ${visibleTo(viewer)}`,
  )
}

function narrowedTo(filter: AccountFilter): SQL {
  const { onlyMedia, excludeReplies, excludeReblogs, excludeDirect, onlyPublic = false, tagged } = filter
  const conditions = [
    sql`1`,
    // A reblog has no attachments of its own.
    ...(onlyMedia ? [sql`s.attachments <> '[]'`] : []),
    ...(excludeReplies
      ? [
          sql`((s.in_reply_to_id is null and s.in_reply_to_account_id is null and s.in_reply_to_uri is null)
          or s.in_reply_to_account_id = s.account_id)`,
        ]
      : []),
    ...(excludeReblogs ? [sql`s.reblog_of_id is null`] : []),
    ...(excludeDirect ? [sql`s.visibility <> 'direct'`] : []),
    ...(onlyPublic ? [sql`s.visibility = 'public'`] : []),
    ...(tagged === null
      ? []
      : [
          sql`exists (select 1 from status_tags t where t.status_id = s.id
          and t.tag_id = (select id from tags where name = ${tagged}))`,
        ]),
  ]
  return sql.join(conditions, sql` and `)
}

function sharesNobodyHidden(viewer: ViewerRef, owner: AccountId | SQL, now: Date): SQL {
  if (!viewer.signedIn) return sql`1`
  const shared = '(select hidden.account_id from statuses hidden where hidden.id = s.reblog_of_id)'
  return sql`(s.reblog_of_id is null or coalesce(${viewer.id} = ${owner}, 0)
    or ${authorNotHidden(viewer, now, shared)})`
}
