import type { AccountHistoryEntry } from '../../contract/entities/admin/account-history'
import type { ModerationNote } from '../../contract/entities/admin/moderation-note'
import type { moderationNotes, reports, rules } from '../../db/schema'
import { presentAdminStrike, type StrikeFacts } from './strike'
import { timestamp, timestampOrNull } from './time'

type NoteFacts = typeof moderationNotes.$inferSelect
type ReportFacts = typeof reports.$inferSelect

/** Presents a note of a moderator. */
export function presentModerationNote(note: NoteFacts): ModerationNote {
  return {
    id: String(note.id),
    account_id: idOrNull(note.accountId),
    username: note.username,
    report_id: idOrNull(note.reportId),
    target_account_id: idOrNull(note.targetAccountId),
    content: note.content,
    created_at: timestamp(note.createdAt),
  }
}

/** An entry of an account's history. */
export type HistoryFacts =
  | { readonly type: 'report_about' | 'report_by'; readonly report: ReportFacts }
  | { readonly type: 'strike'; readonly strike: StrikeFacts }
  | { readonly type: 'note'; readonly note: NoteFacts }

/** Presents an entry of an account's history. */
export function presentHistoryEntry(
  entry: HistoryFacts,
  allRules: readonly (typeof rules.$inferSelect)[],
): AccountHistoryEntry {
  const { type } = entry
  const none = { report: null, strike: null, note: null }
  switch (entry.type) {
    case 'strike': {
      const strike = presentAdminStrike(entry.strike, allRules)
      return { ...none, id: strike.id, type, created_at: strike.created_at, strike }
    }
    case 'note': {
      const note = presentModerationNote(entry.note)
      return { ...none, id: note.id, type, created_at: note.created_at, note }
    }
    default: {
      const { report } = entry
      const created_at = timestamp(report.createdAt)
      return { ...none, id: String(report.id), type, created_at, report: reportSummary(report) }
    }
  }
}

function reportSummary(report: ReportFacts) {
  return {
    id: String(report.id),
    category: report.category,
    comment: report.comment,
    account_id: String(report.accountId),
    target_account_id: String(report.targetAccountId),
    status_ids: report.statusIds.map(String),
    rule_ids: report.ruleIds.map(String),
    action_taken_at: timestampOrNull(report.actionTakenAt),
    action_taken_by_account_id: idOrNull(report.actionTakenByAccountId),
  }
}

function idOrNull(id: number | null): string | null {
  return id === null ? null : String(id)
}
