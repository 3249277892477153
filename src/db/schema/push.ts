import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, PushSubscriptionId, TokenId } from '../../lib/ids'
import { flag, id, instant, json } from '../columns'

/** Kinds of notification an application can ask to be told of. */
export const pushAlerts = [
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
  'admin.sign_up',
  'admin.report',
] as const
export type PushAlert = (typeof pushAlerts)[number]

/** What was never chosen is absent, and off. */
export type ChosenAlerts = { readonly [A in PushAlert]?: boolean }

/** Whose deeds: everybody's, those of people one follows, of one's followers, or nobody's. */
export const pushPolicies = ['all', 'followed', 'follower', 'none'] as const

export const pushSubscriptions = sqliteTable('push_subscriptions', {
  id: id<PushSubscriptionId>('id').primaryKey({ autoIncrement: true }),
  accessTokenId: id<TokenId>('access_token_id').notNull().unique(),
  accountId: id<AccountId>('account_id').notNull(),
  /** Who knows it can send there: a secret, as the two keys are. */
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  standard: flag('standard').notNull().default(false),
  alerts: json<ChosenAlerts>('alerts').notNull().default({}),
  policy: text('policy', { enum: pushPolicies }).notNull().default('all'),
  failures: integer('failures').notNull().default(0),
  createdAt: instant('created_at').notNull(),
})
