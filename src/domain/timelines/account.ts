import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import { candidateLimit, type Page, pageSql, scanStatuses } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { authorNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { visibleByActiveAuthor, visibleTo } from '../policy/visibility'
import { walkTags } from './tag'

/**
 * Entries that candidates are counted for, where each may be a reblog of a status that quotes another. The longest page has 40:
 * if all are such reblogs, with 26 hidden statuses between them, it reads 2,100 rows, a twentieth more than other requests may.
 * With fewer candidates, pages of accounts that reply a lot would be short.
 */
const mostReblogs = 36

/** Filters for the statuses of an account. */
export interface AccountFilter {
  /** An id, or a sub-select of one. */
  readonly owner: AccountId | SQL
  readonly onlyMedia: boolean
  readonly excludeReplies: boolean
  readonly excludeReblogs: boolean
  readonly excludeDirect: boolean
  /** Omits unlisted statuses, for readers that redistribute. */
  readonly onlyPublic?: boolean
  /** A normalised hashtag. */
  readonly tagged: string | null
  /** Number of selections the loader makes; one by default. */
  readonly selections?: number
}

/**
 * The newest statuses of one account that the viewer may see, as rows (id, cursor).
 *
 * Visiting the profile of a muted or blocked account is deliberate, so only reblogs of hidden authors are
 * omitted.
 */
export function accountSelection(
  viewer: ViewerRef,
  filter: AccountFilter,
  page: Page,
  now: Date,
): BoundedSelection {
  const { owner, tagged, selections = 1 } = filter
  const shown = sql`${narrowedTo(filter)} and ${visibleBy(viewer, owner)}
    and ${reblogsNoHiddenAuthor(viewer, owner, now)}`
  if (tagged !== null) return taggedSelection(page, { owner, tagged, shown })
  const hasReblogs = !filter.excludeReblogs && !filter.onlyMedia
  const limit = hasReblogs ? Math.min(page.limit, mostReblogs) : page.limit
  const cost = hasReblogs ? ({ each: 3, of: 'reblogs' } as const) : ({ each: 1, of: 'statuses' } as const)
  // Verbatim condition of the partial index of statuses with media.
  const hasMedia = filter.onlyMedia ? sql`s.attachments <> '[]'` : sql`1`
  return scanStatuses(page, {
    most: candidateLimit({ limit, selections, scan: 450, ...cost }),
    where: sql`s.account_id = ${owner} and ${hasMedia}`,
    shown,
  })
}

/** `visibleTo` for the statuses of one account, with a single suspension check. */
function visibleBy(viewer: ViewerRef, owner: AccountId | SQL): SQL {
  // No `exists`: SQLite would turn it into a join, which may change the order in which candidates are read.
  return sql`${visibleByActiveAuthor(viewer)} and (select owner.suspended_at is null from accounts owner where owner.id = ${owner})`
}

/** The pinned statuses of an account, newest pin first; the cursor is the id of the pin. */
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

function reblogsNoHiddenAuthor(viewer: ViewerRef, owner: AccountId | SQL, now: Date): SQL {
  if (!viewer.signedIn) return sql`1`
  const shared = '(select hidden.account_id from statuses hidden where hidden.id = s.reblog_of_id)'
  return sql`(s.reblog_of_id is null or coalesce(${viewer.id} = ${owner}, 0)
    or ${authorNotBlockedOrMuted(viewer, now, shared)})`
}

/** Statuses of the account with a hashtag. Walks the hashtag and the account in parallel, skipping gaps. */
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
