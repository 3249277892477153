import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { AnnualStats } from '../values'

export const collections = sqliteTable('collections', {
  id: id<CollectionId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  uri: text('uri'),
  url: text('url'),
  name: text('name').notNull(),
  /** Text as typed for local collections, sanitised HTML for remote ones. */
  description: text('description').notNull().default(''),
  language: text('language'),
  sensitive: flag('sensitive').notNull().default(false),
  discoverable: flag('discoverable').notNull().default(true),
  /** A hashtag as typed, without the sign. */
  tag: text('tag'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/**
 * States of an item. Rejected and revoked items stay in the table, so that their accounts are not asked again.
 */
export const itemStates = ['pending', 'accepted', 'rejected', 'revoked'] as const
export type ItemState = (typeof itemStates)[number]

export const collectionItems = sqliteTable('collection_items', {
  id: id<CollectionItemId>('id').primaryKey(),
  collectionId: id<CollectionId>('collection_id').notNull(),
  accountId: id<AccountId>('account_id').notNull(),
  state: text('state', { enum: itemStates }).notNull(),
  /** URI of a remote item. */
  uri: text('uri'),
  /** Feature authorization of a remote account (FEP-7aa9). */
  authorizationUri: text('authorization_uri'),
  createdAt: instant('created_at').notNull(),
})

export const annualReports = sqliteTable(
  'annual_reports',
  {
    accountId: id<AccountId>('account_id').notNull(),
    year: integer('year').notNull(),
    /** Null while it is computed. */
    data: json<AnnualStats>('data'),
    shareKey: text('share_key').notNull(),
    requestedAt: instant('requested_at').notNull(),
    generatedAt: instant('generated_at'),
    viewedAt: instant('viewed_at'),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.year] })],
)

/** Background work that clients may poll, by purpose. */
export const asyncRefreshes = sqliteTable('async_refreshes', {
  subject: text('subject').primaryKey(),
  status: text('status', { enum: ['running', 'finished'] }).notNull(),
  resultCount: integer('result_count'),
  expiresAt: instant('expires_at').notNull(),
})
