import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { id, instant, json } from '../query'
/** Fields of a target by name, as an entry of the audit log keeps them. Never secrets. */
export type AuditValues = Readonly<Record<string, unknown>>

/** Administrative acts, one row each. */
export const auditLog = sqliteTable('audit_log', {
  id: id<number>('id').primaryKey(),
  /** The moderator; null for the operator and where the account was deleted. */
  accountId: id<AccountId>('account_id'),
  username: text('username').notNull(),
  action: text('action').notNull(),
  targetType: text('target_type').notNull(),
  targetId: id<number>('target_id'),
  targetLabel: text('target_label').notNull(),
  oldValues: json<AuditValues>('old_values').notNull().default({}),
  newValues: json<AuditValues>('new_values').notNull().default({}),
  ip: text('ip'),
  createdAt: instant('created_at').notNull(),
})
