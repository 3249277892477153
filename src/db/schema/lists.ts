import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, ListId, StatusId, TagId } from '../../lib/ids'
import { flag, id, instant } from '../query'
/** Replies a list shows: to accounts its owner follows, to its members, or none. */
export type RepliesPolicy = 'followed' | 'list' | 'none'

export const lists = sqliteTable('lists', {
  id: id<ListId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  title: text('title').notNull(),
  repliesPolicy: text('replies_policy').$type<RepliesPolicy>().notNull().default('list'),
  exclusive: flag('exclusive').notNull().default(false),
  createdAt: instant('created_at').notNull(),
})

export const listAccounts = sqliteTable('list_accounts', {
  id: id<number>('id').primaryKey(),
  listId: id<ListId>('list_id').notNull(),
  ownerId: id<AccountId>('owner_id').notNull(),
  accountId: id<AccountId>('account_id').notNull(),
})

export const listEntries = sqliteTable(
  'list_entries',
  {
    listId: id<ListId>('list_id').notNull(),
    statusId: id<StatusId>('status_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.listId, t.statusId] })],
)

export const tagFollows = sqliteTable('tag_follows', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  tagId: id<TagId>('tag_id').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Until then its posts stay out of the home feed; null for no such time. */
  snoozedUntil: instant('snoozed_until'),
  /** At most one post a day enters the home feed for it. */
  fewer: flag('fewer').notNull().default(false),
  /** The status that entered the home feed for it last, while fewer are wanted. */
  lastShown: id<StatusId>('last_shown'),
})
