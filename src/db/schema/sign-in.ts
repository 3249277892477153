import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
export const totpSecrets = sqliteTable('totp_secrets', {
  accountId: id<AccountId>('account_id').primaryKey(),
  /** Encrypted under the instance secret. */
  sealedSecret: text('sealed_secret').notNull(),
  createdAt: instant('created_at').notNull(),
  confirmedAt: instant('confirmed_at'),
  lastStep: integer('last_step').notNull().default(0),
})

export const recoveryCodes = sqliteTable('recovery_codes', {
  codeHash: text('code_hash').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
})

export const passkeys = sqliteTable('passkeys', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  name: text('name').notNull(),
  credentialId: text('credential_id').notNull().unique(),
  /** COSE key in base64url. */
  publicKey: text('public_key').notNull(),
  signCount: integer('sign_count').notNull(),
  transports: json<readonly string[]>('transports').notNull().default([]),
  /** Whether the authenticator keeps copies elsewhere, as synchronised passkeys do. */
  backedUp: flag('backed_up').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
  /** Name of the account as the authenticator knows it; null from before, until it is filled in. */
  userHandle: text('user_handle'),
})

export const usedChallenges = sqliteTable('used_challenges', {
  challengeHash: text('challenge_hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
})

export const pendingSignIns = sqliteTable('pending_sign_ins', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  step: text('step', { enum: ['second-factor', 'mailed-code'] }).notNull(),
  /** Hash of the code that was mailed last. */
  codeHash: text('code_hash'),
  attempts: integer('attempts').notNull().default(0),
  expiresAt: instant('expires_at').notNull(),
})

export const knownDevices = sqliteTable(
  'known_devices',
  {
    tokenHash: text('token_hash').notNull(),
    accountId: id<AccountId>('account_id').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenHash, table.accountId] })],
)

export const signInAddresses = sqliteTable(
  'sign_in_addresses',
  {
    accountId: id<AccountId>('account_id').notNull(),
    ip: text('ip').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.ip] })],
)

/** Changes to the ways to sign in that a member is mailed about. */
export type SecurityChange =
  | 'password-changed'
  | 'email-changed'
  | 'two-factor-on'
  | 'two-factor-off'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-renewed'

/** Occasions of mails whose address and time have to be remembered until they are sent. */
export type MailOccasion = SecurityChange | 'sign-up-rejected' | 'registrations-closed'

/** Mails that the queue sends, until it has. */
export const unsentMails = sqliteTable('unsent_mails', {
  id: id<number>('id').primaryKey(),
  /** Null where the account is deleted with the occasion of the mail. */
  accountId: id<AccountId>('account_id'),
  kind: text('kind').$type<MailOccasion>().notNull(),
  username: text('username').notNull(),
  /** Address at the time of the occasion. */
  email: text('email').notNull(),
  locale: text('locale').notNull().default('en'),
  happenedAt: instant('happened_at').notNull(),
})
