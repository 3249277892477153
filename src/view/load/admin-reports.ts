import { asc, sql } from 'drizzle-orm'
import { both, combineQueries, constant, inList, map, type Query, rows } from '../../db/query'
import { type reports, rules } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AdminAccountBundle, loadAdminAccounts } from './admin-accounts'
import { loadFilters, withFilterMatches } from './filters'
import { anonymousFacts } from './status-parts'
import { bundleOf, isVisibleRow, loadSelected, type StatusBundle, statusesById } from './statuses'

type ReportRow = typeof reports.$inferSelect

/** Reports as moderators see them. */
export interface AdminReportBundle {
  readonly reports: readonly ReportRow[]
  readonly accounts: AdminAccountBundle
  /** Reported statuses that still exist. */
  readonly statuses: StatusBundle
  readonly rules: readonly (typeof rules.$inferSelect)[]
}

/** Loads the accounts, rules and statuses of `found`, the statuses as `viewer` has marked them: one round trip. */
export function loadAdminReports(
  ctx: Ctx,
  viewer: ViewerRef,
  found: readonly ReportRow[],
): Query<AdminReportBundle> {
  const accountIds = [...new Set(found.flatMap(accountsOf))]
  const statusIds = [...new Set(found.flatMap((report) => report.statusIds))]
  const ruleIds = [...new Set(found.flatMap((report) => report.ruleIds))]
  return combineQueries({
    reports: constant(found),
    accounts: loadAdminAccounts(
      ctx,
      sql`select value as id, -key as cursor
      from json_each(${JSON.stringify(accountIds)})`,
    ),
    statuses:
      statusIds.length === 0 ? constant(bundleOf([], [])) : loadReportedStatuses(ctx, viewer, statusIds),
    rules:
      ruleIds.length === 0
        ? constant([])
        : rows(
            ctx.db
              .select()
              .from(rules)
              .where(inList(rules.id, ruleIds))
              .orderBy(asc(rules.position), asc(rules.id)),
          ),
  })
}

/** Accounts that a report names. */
function accountsOf(report: ReportRow): readonly number[] {
  const { accountId, targetAccountId, assignedAccountId, actionTakenByAccountId } = report
  return [accountId, targetAccountId, assignedAccountId ?? [], actionTakenByAccountId ?? []].flat()
}

/**
 * Loads statuses of reports for staff endpoints: whatever their visibility, and those of suspended authors, since the
 * reporter could see them. What they quote is loaded only if every member may see it, whomever `viewer` follows.
 */
function loadReportedStatuses(ctx: Ctx, viewer: ViewerRef, ids: readonly StatusId[]): Query<StatusBundle> {
  const found = both(loadSelected(ctx, viewer, statusesById(ids), 'none'), loadFilters(ctx, viewer))
  return map(found, ([facts, filters]) => {
    const bundle = bundleOf(
      facts.filter((row) => row.cursor !== null || isVisibleRow({ ...row, viewer: anonymousFacts }, true)),
      facts,
    )
    if (filters === null) return bundle
    return { ...bundle, statuses: withFilterMatches(bundle.statuses, filters, ctx.clock.now()) }
  })
}

/** Rows that loading reads: of an account, of a status that its reader marked in every way. Measured; most need fewer. */
const rowsOf = { report: 2, account: 4, status: 16 }
/** Rows of a page, of which the scan of reports has had its part. */
const rowsPerPage = 360

/** The first reports that can be loaded within the rows of a page; always one at least. */
export function affordableReports(found: readonly ReportRow[]): readonly ReportRow[] {
  const seen = new Set<number>()
  let spent = 0
  const tooMany = found.findIndex((report, index) => {
    const fresh = accountsOf(report).filter((id) => !seen.has(id))
    for (const id of fresh) seen.add(id)
    spent += rowsOf.report + fresh.length * rowsOf.account + report.statusIds.length * rowsOf.status
    return index > 0 && spent > rowsPerPage
  })
  return tooMany === -1 ? found : found.slice(0, tooMany)
}
