import { type SQL, sql } from 'drizzle-orm'
import { notificationTypes } from '../../contract/notification-kinds'
import { BoundedSelection, CostlySelection, limitTo, type PageWithSubjects } from '../../db/query'
import { boundedPage, type Page, pageBounds } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { includesFiltered, isVisibleTo, matchesFilter, type NotificationFilter } from './find'

/** Notifications by one account that are searched completely if there are no more. */
const mostRare = 60
/**
 * Length of usual pages, whose statuses may be selected again where they link collections. Pages of one account or type,
 * and of filtered notifications, end there: all of them may be about statuses that quote others.
 */
const usualLimit = 40
/** Latest notifications examined otherwise. Both are read twice: for the page, and for its statuses. */
const mostCandidates = 60

/**
 * The viewer's newest notifications that pass the filter.
 *
 * Those by one account are found by their sender, if they are few. The rest is looked for among the latest notifications:
 * the page may end early.
 */
export function notificationPage(
  viewer: ViewerRef,
  filter: NotificationFilter,
  asked: Page,
  now: Date,
): PageWithSubjects {
  const isWide = !isNarrow(filter) && !includesFiltered(filter)
  const page = isWide ? asked : { ...asked, limit: Math.min(asked.limit, usualLimit) }
  const scan = (columns: SQL) =>
    (filter.from === undefined ? scanLatest : scanRare)({ viewer, filter, page, columns, now })
  const statuses = sql`select id, max(cursor) as cursor, is_end
    from (${scan(sql`n.status_id as id`).rows}) where id is not null group by id, is_end`
  const Subjects = !isWide || page.limit > usualLimit ? CostlySelection : BoundedSelection
  return { rows: scan(sql`n.*`).page, subjects: new Subjects(statuses, statuses) }
}

function isNarrow({ types, from }: NotificationFilter): boolean {
  return from !== undefined || types.length < notificationTypes.length
}

/** Number of candidates. Merging those that the viewer's policy filtered with the others reads both. */
function candidatesOf(filter: NotificationFilter, { limit }: Page): number {
  return Math.max(includesFiltered(filter) ? 0 : mostCandidates, limit + 20)
}

interface NotificationScan {
  readonly viewer: ViewerRef
  readonly filter: NotificationFilter
  readonly page: Page
  readonly columns: SQL
  readonly now: Date
}

/** Examines the latest notifications. */
function scanLatest({ viewer, filter, page, columns, now }: NotificationScan): BoundedSelection {
  const most = candidatesOf(filter, page)
  const latest = latestOf(viewer, filter, page)
  return boundedPage(page, {
    shown: shownOf({ viewer, filter, columns, now }, sql`${latest} ${limitTo(most)}`),
    last: sql`(select id from (${latest} ${limitTo(1)} offset ${sql.raw(String(most - 1))}))`,
    of: 'statuses',
  })
}

/** Examines all by one account where they are few, otherwise the latest notifications. */
function scanRare({ viewer, filter, page, columns, now }: NotificationScan): BoundedSelection {
  const { types, from } = filter
  const most = candidatesOf(filter, page)
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const sender = from === undefined ? sql`` : sql`and n.from_account_id = ${from}`
  const named = sql`rare as materialized (
      select n.* from json_each(${JSON.stringify(types)}) type cross join notifications n indexed by notifications_deed
        on n.account_id = ${viewer.id} and n.type = type.value ${sender} ${limitTo(mostRare + 1)}),
    mode(is_many) as materialized (select count(*) > ${mostRare} from rare),`
  const latest = latestOf(viewer, filter, page)
  // `limit 0` reads nothing, so that only one of the two is read.
  const candidates = sql`select * from (select * from rare where ${pageBounds(page, sql`rare.id`)}
      order by rare.id ${direction} limit (select iif(is_many, 0, ${mostRare}) from mode))
    union all select * from (${latest} limit (select iif(is_many, ${most}, 0) from mode))`
  return boundedPage(page, {
    named,
    shown: shownOf({ viewer, filter, columns, now }, candidates),
    last: sql`(select id from (${latest}
      limit (select is_many from mode) offset ${sql.raw(String(most - 1))}))`,
    of: 'statuses',
  })
}

/** The latest notifications that the filter does not leave out by the viewer's policy, as whole rows. */
export function latestOf(viewer: ViewerRef, filter: NotificationFilter, page: Page): SQL {
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const latest = (filtered: SQL) => sql`select n.* from notifications n
    where n.account_id = ${viewer.id} and n.filtered = ${filtered} and ${pageBounds(page, sql`n.id`)}
    order by n.id ${direction}`
  if (!includesFiltered(filter)) return latest(sql`0`)
  const most = limitTo(candidatesOf(filter, page))
  return sql`select * from (select * from (${latest(sql`0`)} ${most})
    union all select * from (${latest(sql`1`)} ${most})) order by id ${direction}`
}

function shownOf(
  { viewer, filter, columns, now }: Pick<NotificationScan, 'viewer' | 'filter' | 'columns' | 'now'>,
  candidates: SQL,
): SQL {
  return sql`select ${columns}, n.id as cursor from (${candidates}) n
    where ${matchesFilter(filter)} and ${isVisibleTo(viewer, now)}`
}
