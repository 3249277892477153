import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, ApplicationId, TokenId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
export const applications = sqliteTable('applications', {
  id: id<ApplicationId>('id').primaryKey(),
  clientId: text('client_id').notNull().unique(),
  clientSecretHash: text('client_secret_hash').notNull(),
  name: text('name').notNull(),
  website: text('website'),
  redirectUris: json<readonly string[]>('redirect_uris').notNull(),
  scopes: text('scopes').notNull(),
  createdAt: instant('created_at').notNull(),
  /** An account signed in by it, so statuses may name it. Set by a trigger. */
  used: flag('used').notNull().default(false),
})

export const accessTokens = sqliteTable('access_tokens', {
  id: id<TokenId>('id').primaryKey(),
  tokenHash: text('token_hash').notNull().unique(),
  applicationId: id<ApplicationId>('application_id').notNull(),
  accountId: id<AccountId>('account_id'),
  scopes: text('scopes').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
  /** From before tokens were random: computable by who has the instance secret of that time. */
  derived: flag('derived').notNull().default(true),
  /** The token of an application for itself, encrypted under the application's secret. */
  sealedForApplication: text('sealed_for_application'),
})

/** Hashes of tokens that were deleted: their holders get an error instead of anonymous access. Filled by a trigger. */
export const revokedTokens = sqliteTable('revoked_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  revokedAt: instant('revoked_at').notNull(),
})

export const authorizationCodes = sqliteTable('authorization_codes', {
  codeHash: text('code_hash').primaryKey(),
  applicationId: id<ApplicationId>('application_id').notNull(),
  accountId: id<AccountId>('account_id').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  scopes: text('scopes').notNull(),
  codeChallenge: text('code_challenge'),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
  tokenId: id<TokenId>('token_id'),
})

export const sessions = sqliteTable('sessions', {
  id: id<number>('id').primaryKey(),
  tokenHash: text('token_hash').notNull().unique(),
  accountId: id<AccountId>('account_id').notNull(),
  userAgent: text('user_agent').notNull().default(''),
  ip: text('ip'),
  createdAt: instant('created_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** Time the user last proved to be there, by password or passkey. */
  authenticatedAt: instant('authenticated_at'),
  /** Hash of the browser's device cookie. */
  deviceHash: text('device_hash'),
})
