import type { AdminReport } from '../../contract/entities/admin/report'
import { NotFound } from '../../errors'
import type { AdminReportBundle } from '../load/admin-reports'
import { presentAdminAccount } from './admin-account'
import { presentRules } from './instance'
import { type PresentContext, presentStatus } from './status'
import { timestamp, timestampOrNull } from './time'

type ReportFacts = AdminReportBundle['reports'][number]

/** Presents the reports of a bundle to moderators, in its order. */
export function presentAdminReports(showing: PresentContext, bundle: AdminReportBundle): AdminReport[] {
  return bundle.reports.map((report) => presentAdminReport(showing, bundle, report))
}

/** Presents the one report a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyAdminReport(showing: PresentContext, bundle: AdminReportBundle): AdminReport {
  const [report] = bundle.reports
  if (report === undefined) throw new NotFound()
  return presentAdminReport(showing, bundle, report)
}

function presentAdminReport(
  showing: PresentContext,
  bundle: AdminReportBundle,
  report: ReportFacts,
): AdminReport {
  const account = (id: number) => presentAdminAccount(showing.config, bundle.accounts, id)
  const accountOrNull = (id: number | null) =>
    id === null || !bundle.accounts.accounts.has(id) ? null : account(id)
  return {
    id: String(report.id),
    action_taken: report.actionTakenAt !== null,
    action_taken_at: timestampOrNull(report.actionTakenAt),
    category: report.category,
    comment: report.comment,
    forwarded: report.forwarded,
    created_at: timestamp(report.createdAt),
    updated_at: timestamp(report.updatedAt),
    account: account(report.accountId),
    target_account: account(report.targetAccountId),
    assigned_account: accountOrNull(report.assignedAccountId),
    action_taken_by_account: accountOrNull(report.actionTakenByAccountId),
    statuses: report.statusIds
      .filter((id) => isWhole(bundle, id))
      .map((id) => presentStatus(showing, bundle.statuses, id)),
    rules: presentRules(bundle.rules.filter(({ id }) => report.ruleIds.includes(id))),
  }
}

/** Whether the status still exists, with what it reblogs. */
function isWhole({ statuses }: AdminReportBundle, id: number): boolean {
  return statuses.ids.includes(id)
}
