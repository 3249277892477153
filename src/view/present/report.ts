import type { Config } from '../../config'
import type { Account } from '../../contract/entities/account'
import type { Report } from '../../contract/entities/report'
import type { reports } from '../../db/schema'
import type { AccountBundle } from '../load/accounts'
import { presentOnlyAccount } from './account'
import { timestamp, timestampOrNull } from './time'

/** Presents a report to its author. `target` was loaded for the reported account. */
export function presentReport(
  config: Config,
  report: typeof reports.$inferSelect,
  target: AccountBundle,
): Report {
  return reportEntity(report, presentOnlyAccount(config, target))
}

/** Presents a report with the reported account already presented. */
export function reportEntity(report: typeof reports.$inferSelect, target: Account): Report {
  const { id, category, comment, forwarded, statusIds, ruleIds, collectionIds, actionTakenAt } = report
  return {
    id: String(id),
    category,
    comment,
    forwarded,
    action_taken: actionTakenAt !== null,
    action_taken_at: timestampOrNull(actionTakenAt),
    created_at: timestamp(report.createdAt),
    status_ids: statusIds.map(String),
    collection_ids: collectionIds.map(String),
    rule_ids: ruleIds.length === 0 ? null : ruleIds.map(String),
    target_account: target,
  }
}
