import type { Config } from '../../config'
import type { Account } from '../../contract/entities/account'
import type { AccountHistoryEntry, AdminAccount, ModerationNote } from '../../contract/entities/admin/account'
import type { AuditLogEntry } from '../../contract/entities/admin/report'
import type { auditLog, moderationNotes, reports, rules } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { idText } from '../../lib/ids'
import type { AccountIp, AdminAccountBundle, AdminAccountFacts, AdminUserFacts } from '../load/admin-accounts'
import { accountEntity, presentRole } from './account'
import { presentAdminStrike, type StrikeFacts } from './report'
import { timestamp, timestampOrNull } from './time'

/** Presents an account of a bundle to moderators; `NotFound` where the bundle lacks it. */
export function presentAdminAccount(config: Config, bundle: AdminAccountBundle, id: AccountId): AdminAccount {
  const facts = bundle.accounts.get(id)
  if (facts === undefined) throw new NotFound()
  const { account, user } = facts
  return {
    id: String(id),
    username: account.username,
    domain: account.domain,
    created_at: timestamp(account.createdAt),
    ...userFields(user, bundle.basicPermissions),
    sensitized: account.sensitizedAt !== null,
    silenced: account.silencedAt !== null,
    suspended: account.suspendedAt !== null,
    account: publicEntity(config, facts),
    ...(user?.createdByApplicationId == null
      ? {}
      : { created_by_application_id: String(user.createdByApplicationId) }),
    ...(user?.invitedBy == null ? {} : { invited_by_account_id: String(user.invitedBy) }),
  }
}

/** Presents the accounts of a bundle in its order. */
export function presentAdminAccounts(config: Config, bundle: AdminAccountBundle): AdminAccount[] {
  return bundle.ids.map((id) => presentAdminAccount(config, bundle, id))
}

/** Presents the one account a bundle was loaded for, or throws `NotFound`. */
export function presentOnlyAdminAccount(
  config: Config,
  bundle: AdminAccountBundle,
  absence: NotFound = new NotFound(),
): AdminAccount {
  const [id] = bundle.ids
  if (id === undefined) throw absence
  return presentAdminAccount(config, bundle, id)
}

function publicEntity(config: Config, { account, moved, user }: AdminAccountFacts): Account {
  const entity = accountEntity(config, account, user?.role ?? null)
  if (moved === null || account.suspendedAt !== null) return entity
  return { ...entity, moved: accountEntity(config, moved.account, moved.role) }
}

/** Fields of local accounts; all null for remote ones. */
function userFields(user: AdminUserFacts | null, basicPermissions: number) {
  if (user === null)
    return {
      email: null,
      ip: null,
      ips: null,
      locale: null,
      invite_request: null,
      role: null,
      confirmed: null,
      approved: null,
      disabled: null,
    }
  const ips = ipsOf(user)
  return {
    email: user.email,
    ip: ips[0]?.ip ?? null,
    ips: ips.map(({ ip, usedAt }) => ({ ip, used_at: timestamp(usedAt) })),
    locale: user.locale === '' ? null : user.locale,
    invite_request: user.signUpReason,
    role: presentRole(user.role, basicPermissions),
    confirmed: user.confirmedAt !== null,
    approved: user.approved,
    disabled: user.disabledAt !== null,
  }
}

/** Addresses of sessions, and the one of the sign-up if no session has it. */
function ipsOf({ ips, signUpIp, createdAt }: AdminUserFacts): readonly AccountIp[] {
  if (signUpIp === null || ips.some(({ ip }) => ip === signUpIp)) return ips
  return [...ips, { ip: signUpIp, usedAt: createdAt }]
}

type NoteFacts = typeof moderationNotes.$inferSelect
type ReportFacts = typeof reports.$inferSelect

/** Presents a note of a moderator. */
export function presentModerationNote(note: NoteFacts): ModerationNote {
  return {
    id: String(note.id),
    account_id: idText(note.accountId),
    username: note.username,
    report_id: idText(note.reportId),
    target_account_id: idText(note.targetAccountId),
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
    action_taken_by_account_id: idText(report.actionTakenByAccountId),
  }
}

export function presentAuditLogEntry(row: typeof auditLog.$inferSelect): AuditLogEntry {
  return {
    id: String(row.id),
    account_id: row.accountId === null ? null : String(row.accountId),
    username: row.username,
    action: row.action,
    target_type: row.targetType,
    target_id: row.targetId === null ? null : String(row.targetId),
    target_label: row.targetLabel,
    before: { ...row.oldValues },
    after: { ...row.newValues },
    ip: row.ip,
    created_at: timestamp(row.createdAt),
  }
}
