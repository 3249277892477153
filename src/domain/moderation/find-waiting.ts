import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { limitTo, oneRow } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'

/** Numbers of what waits for a decision of moderators; each is counted up to `mostWaiting`. */
export interface Waiting {
  readonly reports: number
  readonly appeals: number
  readonly signUps: number
  /** Trending hashtags, pages and authors of posts that were never reviewed. */
  readonly trends: number
  /** Published lists of limits with changes to review. */
  readonly blocklists: number
  /** Failed jobs. */
  readonly deadLetters: number
}

export const mostWaiting = 100

/** Rows that are counted. */
const kinds = {
  reports: sql`reports where action_taken_at is null`,
  appeals: sql`appeals where approved_at is null and rejected_at is null`,
  signUps: sql`users where approved = 0`,
  trends: sql`(select 1 from trending_tags trend cross join tags t on t.id = trend.tag_id
      where t.usable = 1 and t.reviewed_at is null
    union all select 1 from trending_statuses trend
      left join trend_authors author on author.account_id = trend.account_id
      where trend.trendable is null and author.reviewed_at is null
    union all select 1 from trending_links trend cross join preview_cards c on c.id = trend.card_id
      left join trend_publishers publisher on publisher.domain = c.host
      where c.trendable is null and publisher.reviewed_at is null)`,
  blocklists: sql`blocklists b where url is not null and exists (select 1 from blocklist_entries e
    where e.blocklist_id = b.id and e.state = 'pending')`,
  deadLetters: sql`dead_letters`,
} as const satisfies Record<keyof Waiting, SQL>

/** Counts what waits for a decision. One statement, 100 rows of each kind at most, and a few more for each trend. */
export function countWaiting(ctx: Ctx): Query<Waiting> {
  const count = (kind: keyof Waiting) =>
    sql<number>`(select count(*) from (select 1 from ${kinds[kind]} ${limitTo(mostWaiting)}))`.as(kind)
  const found = first(
    ctx.db
      .select({
        reports: count('reports'),
        appeals: count('appeals'),
        signUps: count('signUps'),
        trends: count('trends'),
        blocklists: count('blocklists'),
        deadLetters: count('deadLetters'),
      })
      .from(oneRow),
  )
  const nothing = { reports: 0, appeals: 0, signUps: 0, trends: 0, blocklists: 0, deadLetters: 0 }
  return map(found, (row) => row ?? nothing)
}
