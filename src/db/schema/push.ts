import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PushAlert } from '../../contract/notification-kinds'
import type { AccountId, PushSubscriptionId, TokenId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
/** Alerts that were never chosen are absent, and off. */
export type ChosenAlerts = { readonly [A in PushAlert]?: boolean }

/** Senders whose notifications are pushed: everyone, followed accounts, followers, or none. */
export const pushPolicies = ['all', 'followed', 'follower', 'none'] as const

export const pushSubscriptions = sqliteTable('push_subscriptions', {
  id: id<PushSubscriptionId>('id').primaryKey({ autoIncrement: true }),
  accessTokenId: id<TokenId>('access_token_id').notNull().unique(),
  accountId: id<AccountId>('account_id').notNull(),
  /** Push service URL. Knowing it suffices to send there: a secret, as the two keys are. */
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  /** The access token, which messages name, encrypted; null from before, until it is filled in. */
  sealedToken: text('sealed_token'),
  standard: flag('standard').notNull().default(false),
  alerts: json<ChosenAlerts>('alerts').notNull().default({}),
  policy: text('policy', { enum: pushPolicies }).notNull().default('all'),
  failures: integer('failures').notNull().default(0),
  createdAt: instant('created_at').notNull(),
})

/** Browsers that notifications are pushed to, by the standard alone. A row ends with its session. */
export const browserPushSubscriptions = sqliteTable('browser_push_subscriptions', {
  /** Of the sequence of all ids: never that of a subscription above, which are small. */
  id: id<PushSubscriptionId>('id').primaryKey(),
  sessionId: id<number>('session_id').notNull().unique(),
  accountId: id<AccountId>('account_id').notNull(),
  /** A secret, as above. A browser has one: another session of the same browser takes it over. */
  endpoint: text('endpoint').notNull().unique(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  alerts: json<ChosenAlerts>('alerts').notNull().default({}),
  policy: text('policy', { enum: pushPolicies }).notNull().default('all'),
  failures: integer('failures').notNull().default(0),
  createdAt: instant('created_at').notNull(),
})
