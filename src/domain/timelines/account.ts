import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import type { AccountId } from '../../lib/ids'
import { candidateLimit, type Page, pageSql, scanStatuses } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { authorNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { publicByActiveAuthor, visibleTo } from '../policy/visibility'
import { walkTags } from './walk-tags'

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
  /** How often its loader selects: once, where nothing is said. */
  readonly selections?: number
}

/**
 * The newest statuses of one account as far as the viewer may see them, as rows (id, cursor).
 *
 * Whoever mutes or blocks an account and still looks at its profile means to see it, so only reblogs of people
 * the viewer hides are left out.
 */
export function accountSelection(
  viewer: ViewerRef,
  filter: AccountFilter,
  page: Page,
  now: Date,
): BoundedSelection {
  const { owner, tagged, selections = 1 } = filter
  const shown = sql`${narrowedTo(filter)} and ${visibleBy(viewer, owner)}
    and ${sharesNobodyHidden(viewer, owner, now)}`
  if (tagged !== null) return taggedSelection(page, { owner, tagged, shown })
  const hasReblogs = !filter.excludeReblogs && !filter.onlyMedia
  const cost = hasReblogs ? ({ each: 3, of: 'reblogs' } as const) : ({ each: 1, of: 'statuses' } as const)
  // Word for word as in the index of statuses with media.
  const hasMedia = filter.onlyMedia ? sql`s.attachments <> '[]'` : sql`1`
  return scanStatuses(page, {
    most: candidateLimit({ limit: page.limit, selections, ...cost }),
    where: sql`s.account_id = ${owner} and ${hasMedia}`,
    shown,
  })
}

/** `visibleTo`, of the statuses of one account: strangers ask once whether it is suspended. */
function visibleBy(viewer: ViewerRef, owner: AccountId | SQL): SQL {
  if (viewer.signedIn) return visibleTo(viewer)
  // No `exists`: SQLite would join it, and then may read the candidates in another order.
  return sql`${publicByActiveAuthor()} and (select owner.suspended_at is null from accounts owner where owner.id = ${owner})`
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
  const { onlyMedia, excludeReplies, excludeReblogs, excludeDirect, onlyPublic = false } = filter
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
  ]
  return sql.join(conditions, sql` and `)
}

function sharesNobodyHidden(viewer: ViewerRef, owner: AccountId | SQL, now: Date): SQL {
  if (!viewer.signedIn) return sql`1`
  const shared = '(select hidden.account_id from statuses hidden where hidden.id = s.reblog_of_id)'
  return sql`(s.reblog_of_id is null or coalesce(${viewer.id} = ${owner}, 0)
    or ${authorNotBlockedOrMuted(viewer, now, shared)})`
}

/** Those with a hashtag: uses of the hashtag and statuses of the account, each with leaps over the others between. */
function taggedSelection(
  page: Page,
  { owner, tagged, shown }: { readonly owner: AccountId | SQL; readonly tagged: string; readonly shown: SQL },
): BoundedSelection {
  const own = { table: 'statuses', id: 'id', key: 'account_id' } as const
  return walkTags(page, {
    anyOf: [tagged],
    needed: [{ ...own, value: sql`${owner}` }],
    shown: (
      candidates,
    ) => sql`select s.id as id, s.id as cursor from (${candidates}) walked cross join statuses s
      where s.id = walked.id and s.account_id = ${owner} and ${shown}`,
  })
}
