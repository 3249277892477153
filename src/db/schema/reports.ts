import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, ApplicationId, CollectionId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { Attachment } from '../values'
import type { Visibility } from './statuses'

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
  /** The assigned moderator. */
  assignedAccountId: id<AccountId>('assigned_account_id'),
  /** The moderator who resolved it; null while unresolved, and for the operator. */
  actionTakenByAccountId: id<AccountId>('action_taken_by_account_id'),
  /** Also the version: every change makes it greater. */
  updatedAt: instant('updated_at').notNull(),
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
  /** Time at which an appeal undid the strike. */
  overruledAt: instant('overruled_at'),
  /** Whether its owner was notified. */
  announced: flag('announced').notNull().default(false),
})

/** A status as it was when it was reported or led to a strike. */
export interface StatusSnapshot {
  readonly accountId: AccountId
  readonly username: string
  readonly uri: string | null
  readonly url: string | null
  readonly visibility: Visibility
  readonly content: string
  readonly spoilerText: string
  /** 0 or 1. */
  readonly sensitive: number
  readonly language: string | null
  readonly inReplyToId: StatusId | null
  readonly attachments: readonly Attachment[]
  readonly pollOptions: readonly string[] | null
  /** Milliseconds. */
  readonly createdAt: number
  readonly editedAt: number | null
}

/** Snapshots of statuses, each of one report or one strike. */
export const moderationEvidence = sqliteTable('moderation_evidence', {
  id: id<number>('id').primaryKey(),
  reportId: id<number>('report_id'),
  strikeId: id<number>('strike_id'),
  statusId: id<StatusId>('status_id').notNull(),
  snapshot: json<StatusSnapshot>('snapshot').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** A collection as it was when it was reported or led to a strike. */
export interface CollectionSnapshot {
  readonly accountId: AccountId
  readonly username: string
  /** Null for a local collection. */
  readonly uri: string | null
  readonly url: string | null
  readonly name: string
  /** Text as typed for local collections, sanitised HTML for remote ones. */
  readonly description: string
  /** 0 or 1. */
  readonly sensitive: number
  readonly tag: string | null
  /** Handles of the accounts in it, those asked for consent included. */
  readonly members: readonly string[]
  /** Milliseconds. */
  readonly createdAt: number
}

/** Snapshots of collections, each of one report or one strike. */
export const collectionEvidence = sqliteTable('collection_evidence', {
  id: id<number>('id').primaryKey(),
  reportId: id<number>('report_id'),
  strikeId: id<number>('strike_id'),
  collectionId: id<CollectionId>('collection_id').notNull(),
  snapshot: json<CollectionSnapshot>('snapshot').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Local files that evidence shows, by their key in the media store. */
export const evidenceFiles = sqliteTable(
  'evidence_files',
  {
    fileKey: text('file_key').notNull(),
    evidenceId: id<number>('evidence_id').notNull(),
    /** Time at which a job looks whether the file is still needed. */
    checkAt: instant('check_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileKey, table.evidenceId] })],
)

/** Notes of moderators, each about one report or one account. */
export const moderationNotes = sqliteTable('moderation_notes', {
  id: id<number>('id').primaryKey(),
  /** Null for the operator and where the account was deleted. */
  accountId: id<AccountId>('account_id'),
  username: text('username').notNull(),
  reportId: id<number>('report_id'),
  targetAccountId: id<AccountId>('target_account_id'),
  content: text('content').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Appeals against strikes, one for each at most. */
export const appeals = sqliteTable('appeals', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  strikeId: id<number>('strike_id').notNull().unique(),
  text: text('text').notNull(),
  createdAt: instant('created_at').notNull(),
  approvedAt: instant('approved_at'),
  rejectedAt: instant('rejected_at'),
  decidedByAccountId: id<AccountId>('decided_by_account_id'),
})

/** Texts that moderators put into warnings. */
export const warningPresets = sqliteTable('warning_presets', {
  id: id<number>('id').primaryKey(),
  title: text('title').notNull(),
  text: text('text').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
