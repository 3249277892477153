import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, ApplicationId, CollectionId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../columns'

export const reportCategories = ['spam', 'legal', 'violation', 'other'] as const
export type ReportCategory = (typeof reportCategories)[number]

export const reports = sqliteTable('reports', {
  id: id<number>('id').primaryKey(),
  /** The reporter; a remote one is usually the instance actor of its server. */
  accountId: id<AccountId>('account_id').notNull(),
  targetAccountId: id<AccountId>('target_account_id').notNull(),
  statusIds: json<readonly StatusId[]>('status_ids').notNull().default([]),
  collectionIds: json<readonly CollectionId[]>('collection_ids').notNull().default([]),
  /** The local rules that were broken. */
  ruleIds: json<readonly number[]>('rule_ids').notNull().default([]),
  comment: text('comment').notNull().default(''),
  category: text('category', { enum: reportCategories }).notNull().default('other'),
  /** Whether a local report was forwarded to the server of the target; null for reports from remote servers. */
  forwarded: flag('forwarded'),
  uri: text('uri'),
  applicationId: id<ApplicationId>('application_id'),
  createdAt: instant('created_at').notNull(),
  actionTakenAt: instant('action_taken_at'),
})

export const warningActions = [
  'none',
  'disable',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'suspend',
] as const
export type WarningAction = (typeof warningActions)[number]

/** Moderation warnings. */
export const accountWarnings = sqliteTable('account_warnings', {
  id: id<number>('id').primaryKey(),
  /** The moderator; null for the operator. */
  accountId: id<AccountId>('account_id'),
  targetAccountId: id<AccountId>('target_account_id').notNull(),
  action: text('action', { enum: warningActions }).notNull(),
  text: text('text').notNull(),
  reportId: id<number>('report_id'),
  statusIds: json<readonly StatusId[]>('status_ids'),
  createdAt: instant('created_at').notNull(),
})
