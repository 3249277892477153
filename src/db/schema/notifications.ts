import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { NotificationType } from '../../contract/notification-kinds'
import type { AccountId, NotificationId, StatusId } from '../../lib/ids'
import { flag, id, instant } from '../query'
export const notifications = sqliteTable('notifications', {
  id: id<NotificationId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  type: text('type').$type<NotificationType>().notNull(),
  fromAccountId: id<AccountId>('from_account_id').notNull(),
  statusId: id<StatusId>('status_id'),
  groupKey: text('group_key'),
  createdAt: instant('created_at').notNull(),
  /** Filtered by the notification policy of its recipient. */
  filtered: flag('filtered').notNull().default(false),
  /**
   * Subject besides the status: for `added_to_collection` the item, for `annual_report` the year, for the
   * others the id their names imply.
   */
  subjectId: integer('subject_id'),
})

/** Handling of notifications of a kind: 0 accepts, 1 filters, 2 drops. */
export type PolicyLevel = 0 | 1 | 2
const level = (name: string, standard: PolicyLevel) =>
  integer(name).$type<PolicyLevel>().notNull().default(standard)

export const notificationPolicies = sqliteTable('notification_policies', {
  accountId: id<AccountId>('account_id').primaryKey(),
  notFollowing: level('not_following', 0),
  notFollowers: level('not_followers', 0),
  newAccounts: level('new_accounts', 0),
  privateMentions: level('private_mentions', 1),
  limitedAccounts: level('limited_accounts', 1),
  bots: level('bots', 0),
})

export const notificationPermissions = sqliteTable(
  'notification_permissions',
  {
    accountId: id<AccountId>('account_id').notNull(),
    fromAccountId: id<AccountId>('from_account_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.fromAccountId] })],
)

/** Notifications that were emailed to their recipient, or are being emailed. */
export const noticeMails = sqliteTable(
  'notice_mails',
  {
    accountId: id<AccountId>('account_id').notNull(),
    notificationId: id<NotificationId>('notification_id').notNull(),
    claimedAt: instant('claimed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.notificationId] })],
)

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
