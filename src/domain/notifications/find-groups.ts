import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { NotificationId } from '../../lib/ids'
import { type NotificationType, typeLiterals } from '../../lib/notifications/kinds'
import { firstIdAt } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { isVisibleTo, matchesFilter, type NotificationFilter } from './find'
import { bucketMilliseconds } from './grouping'
import { groupMembers, type NotificationGroup, timeRangeOf, ungroupedId } from './groups'

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

/** Upper bound of the members counted for one page. */
const mostMembers = 2_000

/**
 * The viewer's newest notifications in groups, ordered by the newest member. One statement.
 *
 * A recursive walk finds the end of the page: each step goes to the next notification of a group not yet seen. Then all
 * visible notifications up to there are read, with the members of their groups in the twelve hours before. A walk that
 * ends before `limit` groups has reached the last notification, so its page extends to its bound: newer members of its
 * groups are on it, as on an incomplete page of Mastodon.
 */
export function groupPage(
  ctx: Ctx,
  viewer: ViewerRef,
  { filter, page }: { readonly filter: GroupFilter; readonly page: Page },
): Query<GroupPage> {
  const now = ctx.clock.now()
  const matching = sql`n.account_id = ${viewer.id} and ${matchesFilter(filter)}`
  const upwards = page.minId !== undefined
  const above = page.minId ?? page.sinceId ?? 0
  const below = page.maxId ?? Number.MAX_SAFE_INTEGER
  // The walk begins at one end: with that bound in the condition too, the index would start there at every step.
  const next = upwards ? sql`n.id > walk.id and n.id < ${below}` : sql`n.id < walk.id and n.id > ${above}`
  const order = upwards ? sql`n.id asc` : sql`n.id desc`
  const walk = sql`walk(id, keys, step) as materialized (
      select ${upwards ? above : below}, ',', 0
      union all
      select found.id, walk.keys || ${keySql(filter, 'found')} || ',', walk.step + 1
        from walk cross join notifications found on found.id = (select n.id from notifications n
          where ${matching} and ${next}
            and instr(walk.keys, ',' || ${keySql(filter, 'n')} || ',') = 0
          order by ${order} limit 1)
        where walk.step < ${page.limit})`
  const whole = sql`count(*) < ${page.limit}`
  const ends = upwards
    ? sql`${above} + 1, case when ${whole} then ${below} - 1 else max(id) end`
    : sql`case when ${whole} then ${above} + 1 else min(id) end, ${below} - 1`
  const members = sql`(with recursive ${walk}, reach(low, high, keys, newest, oldest) as materialized (
      select ${ends}, max(keys), max(id), min(id) from walk where step > 0)
    select n.id, n.type, n.from_account_id, n.group_key, reach.low, reach.newest, reach.oldest
      from reach left join notifications n on ${matching} and n.id <= reach.high and n.id >= reach.low - ${reachBack}
        and instr(reach.keys, ',' || ${keySql(filter, 'n')} || ',') > 0 and ${isVisibleTo(viewer, now)}
    order by n.id desc ${limitTo(mostMembers)}) as member`
  const reached = {
    low: sql<number | null>`member.low`.as('low'),
    newest: sql<number | null>`member.newest`.as('newest'),
    oldest: sql<number | null>`member.oldest`.as('oldest'),
  }
  return map(rows(ctx.db.select({ ...memberColumns, ...reached }).from(members)), (all) => {
    const [first] = all
    const low = first?.low ?? 0
    const found = all.flatMap(({ id, ...rest }) => (id === null ? [] : [{ id, ...rest }]))
    const groups = groupMembers(found, filter.grouped, low)
    const shown = groups.flatMap(({ members: [newest] }) => newest?.id ?? [])
    const walked = [first?.newest, first?.oldest].filter((id) => id != null)
    return { low, groups, cursors: [...new Set([...shown, ...walked])].toSorted((a, b) => b - a) }
  })
}

/** Twelve hours as a difference of ids. */
const reachBack = firstIdAt(new Date(Date.UTC(2007, 0, 1) + bucketMilliseconds))

const memberColumns = {
  id: sql<number | null>`member.id`.as('id'),
  type: sql<NotificationType>`member.type`.as('type'),
  from: sql<number>`member.from_account_id`.as('from_account_id'),
  groupKey: sql<string | null>`member.group_key`.as('group_key'),
}

function keySql({ grouped }: GroupFilter, alias: 'n' | 'found'): SQL {
  const n = sql.raw(alias)
  // Literals: a bound list of values would be read anew at every step of the walk.
  const types = sql.raw(typeLiterals(grouped))
  return sql`case when ${n}.group_key is not null and ${n}.type in (${types})
    then ${n}.group_key else ${n}.id end`
}

/** The viewer's group with this key, filtered or not; null without a member the viewer may see. One statement. */
export function oneGroup(ctx: Ctx, viewer: ViewerRef, key: string): Query<NotificationGroup | null> {
  const members = sql`(select n.* from notifications n
    where ${memberOf(viewer, key)} and ${isVisibleTo(viewer, ctx.clock.now())}
    order by n.id desc ${limitTo(mostMembers)}) as member`
  const columns = { ...memberColumns, id: sql<number>`member.id`.as('id') }
  const found = rows(ctx.db.select(columns).from(members))
  return map(found, (all) =>
    all.length === 0 ? null : { key, members: all.toSorted((a, b) => b.id - a.id) },
  )
}

/** Senders in the viewer's group with this key, as a selection (id, cursor): the cursor is the notification. */
export function accountsInGroup(
  viewer: ViewerRef,
  key: string,
  { page, now }: { readonly page: Page; readonly now: Date },
): SQL {
  return pageSql(
    page,
    sql`n.id`,
    (bounds) => sql`select n.from_account_id as id, n.id as cursor from notifications n
      where ${memberOf(viewer, key)} and ${bounds} and ${isVisibleTo(viewer, now)}`,
  )
}

/** Counts groups with a member newer than the viewer's marker, at most `limit`. */
export function unreadGroups(
  ctx: Ctx,
  viewer: ViewerRef,
  { limit, ...filter }: GroupFilter & { readonly limit: number },
): Query<number> {
  const unread = sql`(select distinct key from (select ${keySql(filter, 'n')} as key from notifications n
      where n.account_id = ${viewer.id} and n.id > coalesce((select last_read_id from markers
        where markers.account_id = ${viewer.id} and markers.timeline = 'notifications'), 0)
        and ${matchesFilter(filter)} and ${isVisibleTo(viewer, ctx.clock.now())}
      order by n.id desc ${limitTo(mostMembers)})
    ${limitTo(limit)}) as unread`
  const counted = ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(unread)
  return map(first(counted), (row) => row?.count ?? 0)
}

/** Condition on `n`: member of the viewer's group with this key; false for an invalid key. */
export function memberOf(viewer: ViewerRef, key: string): SQL {
  const id = ungroupedId(key)
  if (id !== null) return sql`n.account_id = ${viewer.id} and n.id = ${id}`
  const times = timeRangeOf(key)
  if (times === null) return sql`0`
  return sql`n.account_id = ${viewer.id} and n.id >= ${firstIdAt(times.from)} and n.id < ${firstIdAt(times.until)}
    and n.group_key = ${key}`
}
