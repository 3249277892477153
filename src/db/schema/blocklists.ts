import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant } from '../query'
import { domainSeverities } from './federation'

/** Lists of limits on servers: subscriptions to published ones, and uploaded files until they are applied. */
export const blocklists = sqliteTable('blocklists', {
  id: id<number>('id').primaryKey(),
  title: text('title').notNull(),
  /** Null for an uploaded file. */
  url: text('url'),
  etag: text('etag'),
  checkedAt: instant('checked_at'),
  nextCheckAt: instant('next_check_at'),
  /** Reason why the last check failed. */
  error: text('error'),
  /** Set when the subscription ends and its limits are being lifted. */
  endedAt: instant('ended_at'),
  createdAt: instant('created_at').notNull(),
})

export const blocklistChanges = ['add', 'change', 'remove'] as const
export const blocklistStates = ['pending', 'approved', 'applied', 'rejected'] as const

/** Entries of lists: values as published, the change that they mean here, and its state. */
export const blocklistEntries = sqliteTable('blocklist_entries', {
  id: id<number>('id').primaryKey(),
  blocklistId: id<number>('blocklist_id').notNull(),
  domain: text('domain').notNull(),
  severity: text('severity', { enum: domainSeverities }).notNull(),
  rejectMedia: flag('reject_media').notNull(),
  rejectReports: flag('reject_reports').notNull(),
  obfuscate: flag('obfuscate').notNull(),
  publicComment: text('public_comment').notNull(),
  change: text('change', { enum: blocklistChanges }).notNull(),
  /** `approved` waits for the job that applies it. */
  state: text('state', { enum: blocklistStates }).notNull(),
})

/** Domains that no list limits. */
export const blocklistExceptions = sqliteTable('blocklist_exceptions', {
  id: id<number>('id').primaryKey(),
  domain: text('domain').notNull(),
  comment: text('comment').notNull().default(''),
  createdAt: instant('created_at').notNull(),
})
