import { getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, map, type Query, rows } from '../../db/query'
import { reports } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
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
