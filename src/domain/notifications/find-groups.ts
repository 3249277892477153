import { type SQL, sql } from 'drizzle-orm'
import { type NotificationType, notificationTypes, typeLiterals } from '../../contract/notification-kinds'
import { type BoundedSelection, first, limitTo, map, type Query, rows } from '../../db/query'
import { firstIdAt, type NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { boundedPage, candidateLimit, type Page } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { includesFiltered, isVisibleTo, latestUnread, matchesFilter, type NotificationFilter } from './find'
import { latestOf } from './find-page'
import {
  bucketMilliseconds,
  type GroupMember,
  groupMembers,
  type NotificationGroup,
  timeRangeOf,
  ungroupedId,
} from './groups'

export interface GroupFilter extends NotificationFilter {
  /** Types whose notifications are shown as one entry. */
  readonly grouped: readonly NotificationType[]
}

/** A page of groups; `low` is the oldest notification it covers. */
export interface GroupPage {
  readonly groups: readonly NotificationGroup[]
  /** Newest notification of each group and both ends of the page: paging continues behind hidden notifications. */
  readonly cursors: readonly NotificationId[]
  readonly low: NotificationId
}

/** Notifications that a page of groups goes through: larger groups are counted up to there. */
const mostWalked = 100
/** Rows read at most: for a notification, for a group, and for a group about a status, which may quote another. */
const cost = { step: 9, group: 8, subject: 44, page: 1_880 } as const
/** Of a page that is read upwards, notifications before it that belong to its groups. */
const mostBefore = 30

/**
 * The viewer's newest notifications in groups, ordered by the newest member. One statement.
 *
 * A recursive walk goes from notification to notification until the groups of the page have begun, and on through the
 * twelve hours before, where their other members are. A walk that ends before `limit` groups has reached the last
 * notification, so its page extends to its bound; or it went as far as one request may: the page ends there early.
 */
export function groupPage(
  ctx: Ctx,
  viewer: ViewerRef,
  { filter, page }: { readonly filter: GroupFilter; readonly page: Page },
): Query<GroupPage> {
  const upwards = page.minId !== undefined
  const walked = { filter, page, viewer }
  const before = upwards ? sql`, ${membersBefore(walked)}` : sql``
  const steps = upwards
    ? sql`select id, is_first, step, cost from walk where step > 0 union all select id, 0, 0, 0 from earlier`
    : sql`select id, is_first, step, cost from walk where step > 0`
  const members = sql`(with recursive ${walkOf(walked)} ${before}
    select n.id, n.type, n.from_account_id, n.group_key, steps.is_first, steps.step, steps.cost,
        ${matchesFilter(filter)} and ${isVisibleTo(viewer, ctx.clock.now())} as is_shown
      from (${steps}) steps cross join notifications n where n.id = steps.id) as member`
  const columns = {
    ...memberColumns,
    isFirst: sql<number>`member.is_first`.as('is_first'),
    step: sql<number>`member.step`.as('step'),
    cost: sql<number>`member.cost`.as('cost'),
    isShown: sql<number>`member.is_shown`.as('is_shown'),
  }
  return map(rows(ctx.db.select(columns).from(members)), (all) => pageOfWalk(all, filter, page))
}

interface GroupWalk {
  readonly viewer: ViewerRef
  readonly filter: GroupFilter
  readonly page: Page
}

/** Walk as rows, a notification each; `is_first` where a group of the page begins. */
function walkOf({ viewer, filter, page }: GroupWalk): SQL {
  const upwards = page.minId !== undefined
  const above = page.minId ?? page.sinceId ?? 0
  const below = page.maxId ?? Number.MAX_SAFE_INTEGER
  const isOnPage = upwards ? sql`1` : sql`found.id > ${above}`
  const isFirst = sql`(walk.groups < ${page.limit} and ${isOnPage} and ${matchesFilter(filter, 'found')}
    and instr(walk.keys, ',' || ${keySql(filter, 'found')} || ',') = 0)`
  const end = sql`iif(walk.groups < ${page.limit}, ${above}, walk.low) - ${reachBack}`
  const next = upwards
    ? nextAfter(viewer, filter, sql`walk.id`, sql`${below}`)
    : nextBefore(viewer, filter, sql`walk.id`, end)
  const goesOn = upwards ? sql`walk.groups < ${page.limit}` : sql`1`
  const costOfFirst = sql`iif(found.status_id is null, ${cost.group}, ${cost.subject})`
  return sql`walk(id, keys, groups, low, is_first, step, cost) as (
      select ${upwards ? above : below}, ',', 0, 0, 0, 0, 0
      union all
      select found.id, case when ${isFirst} then walk.keys || ${keySql(filter, 'found')} || ',' else walk.keys end,
          walk.groups + ${isFirst}, iif(${isFirst}, found.id, walk.low), ${isFirst}, walk.step + 1,
          walk.cost + ${cost.step} + iif(${isFirst}, ${costOfFirst}, 0)
        from walk cross join notifications found on found.id = ${next}
        where walk.step < ${mostWalked} and walk.cost < ${cost.page} and ${goesOn})`
}

/** Notifications in the twelve hours before a page that is read upwards. */
function membersBefore({ viewer, filter, page: { minId = 0 } }: GroupWalk): SQL {
  return sql`earlier(id, step) as (
      select ${nextBefore(viewer, filter, sql`${minId + 1}`, sql`${minId - reachBack}`)}, 1
      union all
      select ${nextBefore(viewer, filter, sql`earlier.id`, sql`${minId - reachBack}`)}, earlier.step + 1
        from earlier where earlier.id is not null and earlier.step < ${mostBefore})`
}

// Notifications that the viewer's policy filtered are apart in the index: where they are wanted, the nearer one counts.

function nextBefore(viewer: ViewerRef, filter: GroupFilter, start: SQL, end: SQL): SQL {
  const newest = (
    filtered: SQL,
  ) => sql`(select max(n.id) from notifications n where n.account_id = ${viewer.id}
    and n.filtered = ${filtered} and n.id < ${start} and n.id > ${end})`
  if (!includesFiltered(filter)) return newest(sql`0`)
  return sql`nullif(max(coalesce(${newest(sql`0`)}, 0), coalesce(${newest(sql`1`)}, 0)), 0)`
}

function nextAfter(viewer: ViewerRef, filter: GroupFilter, start: SQL, end: SQL): SQL {
  const oldest = (
    filtered: SQL,
  ) => sql`(select min(n.id) from notifications n where n.account_id = ${viewer.id}
    and n.filtered = ${filtered} and n.id > ${start} and n.id < ${end})`
  if (!includesFiltered(filter)) return oldest(sql`0`)
  return sql`coalesce(min(${oldest(sql`0`)}, ${oldest(sql`1`)}), ${oldest(sql`0`)}, ${oldest(sql`1`)})`
}

interface WalkedNotification extends GroupMember {
  readonly isFirst: number
  readonly step: number
  /** Rows that the page may read up to here. */
  readonly cost: number
  readonly isShown: number
}

/** Cuts the groups out of the notifications walked through. Pure. */
function pageOfWalk(all: readonly WalkedNotification[], { grouped }: GroupFilter, page: Page): GroupPage {
  const upwards = page.minId !== undefined
  const above = page.minId ?? page.sinceId ?? 0
  const walked = all.filter(({ step }) => step > 0).toSorted((a, b) => a.step - b.step)
  const firsts = walked.filter(({ isFirst }) => isFirst === 1).map(({ id }) => id)
  const last = walked.at(-1)
  const isFull = firsts.length === page.limit
  const isSpent = last !== undefined && (last.step === mostWalked || last.cost >= cost.page)
  const stoppedAt = !isFull && isSpent ? last.id : null
  const end = isFull ? (firsts.at(-1) ?? null) : stoppedAt
  const low = upwards ? above + 1 : (end ?? above + 1)
  const high = upwards && end !== null ? end : Number.MAX_SAFE_INTEGER
  const groups = groupMembers(
    all.filter(({ id, isShown }) => isShown === 1 && id <= high),
    grouped,
    low,
  )
  const shown = groups.flatMap(({ members: [newest] }) => newest?.id ?? [])
  const ends = [Math.max(...firsts), Math.min(...firsts)].filter((id) => Number.isFinite(id))
  const cursors = [...new Set([...shown, ...ends, ...(stoppedAt === null ? [] : [stoppedAt])])]
  return { low, groups, cursors: cursors.toSorted((a, b) => b - a) }
}

/** Twelve hours as a difference of ids. */
const reachBack = firstIdAt(new Date(Date.UTC(2007, 0, 1) + bucketMilliseconds))

const memberColumns = {
  id: sql<number>`member.id`.as('id'),
  type: sql<NotificationType>`member.type`.as('type'),
  from: sql<number>`member.from_account_id`.as('from_account_id'),
  groupKey: sql<string | null>`member.group_key`.as('group_key'),
}

function keySql({ grouped }: GroupFilter, alias: 'n' | 'found'): SQL {
  const n = sql.raw(alias)
  // Literals: a bound list of values would be read again at every step of the walk.
  const types = sql.raw(typeLiterals(grouped))
  return sql`case when ${n}.group_key is not null and ${n}.type in (${types})
    then ${n}.group_key else ${n}.id end`
}

/** Upper bound of the members of one group that are read at once. */
const mostMembers = 250

/** The viewer's group with this key, filtered or not; null without a member the viewer may see. One statement. */
export function oneGroup(ctx: Ctx, viewer: ViewerRef, key: string): Query<NotificationGroup | null> {
  const members = sql`(select n.* from (${latestInSpan(viewer, key, { limit: mostMembers })}) n
    where ${memberOf(viewer, key)} and ${isVisibleTo(viewer, ctx.clock.now())}) as member`
  const found = rows(ctx.db.select(memberColumns).from(members))
  return map(found, (all) =>
    all.length === 0 ? null : { key, members: all.toSorted((a, b) => b.id - a.id) },
  )
}

/** Senders in the viewer's group with this key, as rows (id, cursor): the cursor is the notification. */
export function accountsInGroup(
  viewer: ViewerRef,
  key: string,
  { page, now }: { readonly page: Page; readonly now: Date },
): BoundedSelection {
  const most = candidateLimit({ each: 7, limit: page.limit, of: 'people' })
  const latest = latestInSpan(viewer, key, { ...page, limit: most })
  return boundedPage(page, {
    shown: sql`select n.from_account_id as id, n.id as cursor from (${latest}) n
      where ${memberOf(viewer, key)} and ${isVisibleTo(viewer, now)}`,
    last: sql`(select id from (${latest} offset ${sql.raw(String(most - 1))}))`,
    of: 'accounts',
  })
}

/** Counts groups with a member newer than the viewer's marker among the latest notifications, at most `limit`. */
export function unreadGroups(
  ctx: Ctx,
  viewer: ViewerRef,
  { limit, ...filter }: GroupFilter & { readonly limit: number },
): Query<number> {
  const unread = sql`(select distinct ${keySql(filter, 'n')} as key
    from (${latestUnread(viewer, filter, mostUnread)}) n
    where ${matchesFilter(filter)} and ${isVisibleTo(viewer, ctx.clock.now())}
    ${limitTo(limit)}) as unread`
  const counted = ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(unread)
  return map(first(counted), (row) => row?.count ?? 0)
}

/** Upper bound of the notifications examined for a count. */
const mostUnread = 300

/**
 * The latest notifications before an id that may be in the viewer's group with this key, at most `most`, as rows (id,
 * group_key) by descending id, and the condition on `n` that holds for its members. None for an invalid key.
 */
export function candidatesOfGroup(
  viewer: ViewerRef,
  key: string,
  { before, most }: { readonly before: number; readonly most: number },
): { readonly candidates: SQL; readonly isMember: SQL } {
  const [from, until] = spanOf(key)
  const latest = (
    filtered: SQL,
  ) => sql`select id, group_key from (select n.id, n.group_key from notifications n
    where n.account_id = ${viewer.id} and n.filtered = ${filtered} and n.id >= ${from} and n.id < ${Math.min(until, before)}
    order by n.id desc ${limitTo(most)})`
  return {
    candidates: sql`select id, group_key from (${latest(sql`0`)} union all ${latest(sql`1`)})
      order by id desc ${limitTo(most)}`,
    isMember: ungroupedId(key) === null ? sql`n.group_key is ${key}` : sql`1`,
  }
}

/** Condition on `n`: member of the viewer's group with this key; false for an invalid key. */
export function memberOf(viewer: ViewerRef, key: string): SQL {
  const id = ungroupedId(key)
  if (id !== null) return sql`n.account_id = ${viewer.id} and n.id = ${id}`
  return sql`${isInSpan(viewer, key)} and n.group_key = ${key}`
}

/** The first of a page of notifications that may be in the group with this key, as whole rows. */
function latestInSpan(viewer: ViewerRef, key: string, page: Page): SQL {
  const [from, until] = spanOf(key)
  const below = Math.min(page.maxId ?? until, until)
  const above = Math.max(page.minId ?? 0, page.sinceId ?? 0, from - 1)
  const narrowed: Page = {
    limit: page.limit,
    maxId: below,
    ...(page.minId === undefined ? { sinceId: above } : { minId: above }),
  }
  return sql`${latestOf(viewer, everything, narrowed)} ${limitTo(page.limit)}`
}

const everything: NotificationFilter = { types: notificationTypes, withFiltered: true }

/** Ids of the time the group with this key spans: the first, and the one after the last. Empty for an invalid key. */
function spanOf(key: string): readonly [number, number] {
  const id = ungroupedId(key)
  if (id !== null) return [id, id + 1]
  const times = timeRangeOf(key)
  return times === null ? [0, 0] : [firstIdAt(times.from), firstIdAt(times.until)]
}

function isInSpan(viewer: ViewerRef, key: string): SQL {
  const [from, until] = spanOf(key)
  // Names both values of `filtered`, so that the index leads to the span.
  return sql`n.account_id = ${viewer.id} and n.filtered in (0, 1) and n.id >= ${from} and n.id < ${until}`
}
