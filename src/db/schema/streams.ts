import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { id, json } from '../query'
export const presences = sqliteTable('presences', {
  accountId: id<AccountId>('account_id').primaryKey(),
  /** The account's own streams that are subscribed: `user`, `user:notification`, `direct`, `list:12`. */
  channels: json<readonly string[]>('channels').notNull().default([]),
})

export const activeTopics = sqliteTable('heard_topics', {
  channel: text('channel').primaryKey(),
})
