import type { AuditLogEntry } from '../../contract/entities/admin/audit-log-entry'
import type { auditLog } from '../../db/schema'
import { timestamp } from './time'

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
