import { sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { jsonRows, limitTo } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, TagId } from '../../lib/ids'
import { firstIdAt } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'
import { dayStart, daysOf, type Period } from './metric-period'

/** A use of a hashtag in a public or unlisted status. */
export interface TagUse {
  readonly day: number
  readonly accountId: AccountId
  /** Null for local accounts. */
  readonly domain: string | null
  readonly language: string | null
}

/** Uses counted of a day, as for trends; three rows are read for each. */
const maxUsesADay = 200
/** Uses counted of a period. */
const maxUses = 4_000

/**
 * The latest uses of a hashtag on each day of a period. They are counted when asked for, over the index of uses: a
 * counter would write a row for each hashtag of every status that comes, and few hashtags are ever looked at.
 */
export function loadTagUses(ctx: Ctx, id: TagId, period: Period): Query<TagUse[]> {
  const days = daysOf(period).map((day) => ({
    day,
    from: firstIdAt(dayStart(day)),
    to: firstIdAt(new Date(dayStart(day).getTime() + dayMilliseconds)),
  }))
  const perDay = Math.max(1, Math.min(maxUsesADay, Math.floor(maxUses / Math.max(1, days.length))))
  const latest = sql`(select json_group_array(status_id) from (select status_id from status_tags
    where tag_id = ${id} and status_id >= item.value ->> 'from' and status_id < item.value ->> 'to'
    order by status_id desc ${limitTo(perDay)}))`
  return rows(
    ctx.db
      .select({
        day: sql<number>`item.value ->> 'day'`.as('day'),
        accountId: sql<AccountId>`s.account_id`.as('account_id'),
        domain: sql<string | null>`a.domain`.as('domain'),
        language: sql<string | null>`s.language`.as('language'),
      })
      .from(
        sql`${jsonRows(days)} cross join json_each(${latest}) used cross join statuses s on s.id = used.value
          cross join accounts a on a.id = s.account_id`,
      )
      .where(sql`s.visibility in ('public', 'unlisted') and s.local_only = 0`),
  )
}
