import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import { reports, statuses } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
import { visibleToModerators } from '../policy/visibility'
import type { ReportRow } from '../reports/find'
import { type FoundStrike, findStrikes } from './find-strikes'
import { findNotes, type NoteRow, noteSubjectLabel } from './notes'

/** Entry in the history of an account. Ids of all kinds grow with time. */
export type HistoryEntry =
  | { readonly type: 'report_about' | 'report_by'; readonly id: number; readonly report: ReportRow }
  | { readonly type: 'strike'; readonly id: number; readonly strike: FoundStrike }
  | { readonly type: 'note'; readonly id: number; readonly note: NoteRow }

/** Reports by and about an account, strikes against it and notes about it in one list, newest first; null if unknown. */
export function findHistory(
  ctx: Ctx,
  accountId: AccountId,
  page: Page,
): Query<readonly HistoryEntry[] | null> {
  const found = combineQueries({
    label: noteSubjectLabel(ctx, { type: 'account', id: accountId }),
    about: reportsOf(ctx, sql`${reports.targetAccountId} = ${accountId}`, page),
    by: reportsOf(ctx, sql`${reports.accountId} = ${accountId}`, page),
    strikes: findStrikes(ctx, { targetId: accountId }, page),
    notes: findNotes(ctx, { type: 'account', id: accountId }, page),
  })
  return map(found, ({ label, about, by, strikes, notes }) => {
    if (label === null) return null
    const entries: HistoryEntry[] = [
      ...about.map((report) => ({ type: 'report_about' as const, id: report.id, report })),
      ...by.map((report) => ({ type: 'report_by' as const, id: report.id, report })),
      ...strikes.map((strike) => ({ type: 'strike' as const, id: strike.id, strike })),
      ...notes.map((note) => ({ type: 'note' as const, id: note.id, note })),
    ]
    const ordered = newestFirst(entries)
    return page.minId === undefined ? ordered.slice(0, page.limit) : ordered.slice(-page.limit)
  })
}

function reportsOf(ctx: Ctx, condition: ReturnType<typeof sql>, page: Page): Query<ReportRow[]> {
  const { bounds, order } = idPage(page, sql`${reports.id}`)
  return rows(
    ctx.db
      .select(getTableColumns(reports))
      .from(reports)
      .where(sql`${condition} and ${bounds}`)
      .orderBy(order),
  )
}

/** Newest statuses that are looked through: authors may have written to followers alone for years. */
const mostExamined = 60

const { id, uri, url, content, spoilerText, visibility, sensitive, attachments, localOnly } = statuses
const columns = { id, uri, url, content, spoilerText, visibility, sensitive, attachments, localOnly }

/** Post of an account as moderators see it. */
export type AccountPost = Pick<typeof statuses.$inferSelect, keyof typeof columns>

/** The newest posts of an account that moderators may read, without reblogs. One statement. */
export function findAccountPosts(
  ctx: Ctx,
  accountId: AccountId,
  { limit }: { readonly limit: number },
): Query<readonly AccountPost[]> {
  return rows(
    ctx.db
      .select(columns)
      .from(statuses)
      .where(
        sql`${id} in (select id from statuses where account_id = ${accountId} order by id desc ${limitTo(mostExamined)})
          and ${statuses.reblogOfId} is null and ${visibleToModerators('statuses')}`,
      )
      .orderBy(sql`${id} desc`)
      .limit(limit),
  )
}

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
