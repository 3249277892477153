import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'

const pair = () => ({
  accountId: id<AccountId>('account_id').notNull(),
  targetAccountId: id<AccountId>('target_account_id').notNull(),
})

const followColumns = () => ({
  id: id<number>('id').primaryKey(),
  ...pair(),
  showReblogs: flag('show_reblogs').notNull().default(true),
  notify: flag('notify').notNull().default(false),
  languages: json<readonly string[]>('languages'),
  /** Replies to others reach the home feed. */
  showReplies: flag('show_replies').notNull().default(true),
  /** At most one status a day reaches the home feed. */
  fewer: flag('fewer').notNull().default(false),
  uri: text('uri'),
  createdAt: instant('created_at').notNull(),
})

export const follows = sqliteTable('follows', {
  ...followColumns(),
  /** Inbox that reaches the follower; null for local followers, and where it has to be looked up. */
  inboxId: id<number>('inbox_id'),
})

export const followRequests = sqliteTable('follow_requests', followColumns())

export const blocks = sqliteTable('blocks', {
  id: id<number>('id').primaryKey(),
  ...pair(),
  uri: text('uri'),
  createdAt: instant('created_at').notNull(),
})

export const mutes = sqliteTable('mutes', {
  id: id<number>('id').primaryKey(),
  ...pair(),
  hideNotifications: flag('hide_notifications').notNull().default(true),
  expiresAt: instant('expires_at'),
  createdAt: instant('created_at').notNull(),
})

export const accountDomainBlocks = sqliteTable(
  'account_domain_blocks',
  {
    accountId: id<AccountId>('account_id').notNull(),
    domain: text('domain').notNull(),
    id: id<number>('id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.domain] })],
)

export const accountNotes = sqliteTable(
  'account_notes',
  { ...pair(), comment: text('comment').notNull() },
  (t) => [primaryKey({ columns: [t.accountId, t.targetAccountId] })],
)

export const endorsements = sqliteTable('endorsements', {
  id: id<number>('id').primaryKey(),
  ...pair(),
})
