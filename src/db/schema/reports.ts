import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../columns'

export const reportCategories = ['spam', 'legal', 'violation', 'other'] as const

export const reports = sqliteTable('reports', {
  id: id<number>('id').primaryKey(),
  /** The reporter; one of another server is usually the instance actor there. */
  accountId: id<AccountId>('account_id').notNull(),
  targetAccountId: id<AccountId>('target_account_id').notNull(),
  statusIds: json<readonly StatusId[]>('status_ids').notNull().default([]),
  comment: text('comment').notNull().default(''),
  category: text('category', { enum: reportCategories }).notNull().default('other'),
  /** Whether the reporter's server told that of the target; null where another server told us. */
  forwarded: flag('forwarded'),
  uri: text('uri'),
  createdAt: instant('created_at').notNull(),
  actionTakenAt: instant('action_taken_at'),
})
