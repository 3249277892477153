import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, NotificationId, StatusId } from '../../lib/ids'
import { id, instant } from '../columns'

export const notificationTypes = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
] as const
export type NotificationType = (typeof notificationTypes)[number]

export const notifications = sqliteTable('notifications', {
  id: id<NotificationId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  type: text('type', { enum: notificationTypes }).notNull(),
  fromAccountId: id<AccountId>('from_account_id').notNull(),
  statusId: id<StatusId>('status_id'),
  groupKey: text('group_key'),
  createdAt: instant('created_at').notNull(),
})

export const markers = sqliteTable(
  'markers',
  {
    accountId: id<AccountId>('account_id').notNull(),
    timeline: text('timeline', { enum: ['home', 'notifications'] }).notNull(),
    lastReadId: integer('last_read_id').notNull(),
    version: integer('version').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.timeline] })],
)
