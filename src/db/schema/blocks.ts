import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
export const ipBlockSeverities = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const
export type IpBlockSeverity = (typeof ipBlockSeverities)[number]

/** Networks that may not sign up, only with approval, or send no request at all. */
export const ipBlocks = sqliteTable('ip_blocks', {
  id: id<number>('id').primaryKey(),
  /** Network in CIDR notation, host bits zero. */
  ip: text('ip').notNull().unique(),
  severity: text('severity', { enum: ipBlockSeverities }).notNull(),
  comment: text('comment').notNull().default(''),
  expiresAt: instant('expires_at'),
  createdAt: instant('created_at').notNull(),
})

/** Networks and attempts by day, counted in days since 1970. */
export type AttemptHistory = Readonly<Record<string, readonly [networks: number, attempts: number]>>

/** Domains of e-mail addresses, and of their mail servers, with subdomains. */
export const emailDomainBlocks = sqliteTable('email_domain_blocks', {
  id: id<number>('id').primaryKey(),
  domain: text('domain').notNull().unique(),
  /** Sign-ups need approval instead of being refused. */
  allowWithApproval: flag('allow_with_approval').notNull().default(false),
  history: json<AttemptHistory>('history').notNull().default({}),
  createdAt: instant('created_at').notNull(),
})

/** Networks that attempted to sign up with a blocked e-mail domain, as hashes, so that a day counts each once. */
export const emailDomainAttempts = sqliteTable(
  'email_domain_attempts',
  {
    blockId: id<number>('block_id').notNull(),
    day: integer('day').notNull(),
    networkHash: text('network_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockId, table.day, table.networkHash] })],
)

/** E-mail addresses that cannot sign up, in any spelling that leads to the same mailbox. */
export const canonicalEmailBlocks = sqliteTable('canonical_email_blocks', {
  id: id<number>('id').primaryKey(),
  /** SHA-256 in hex of the canonical address. */
  canonicalEmailHash: text('canonical_email_hash').notNull().unique(),
  /** The account whose suspension blocked the address. */
  accountId: id<AccountId>('account_id'),
  createdAt: instant('created_at').notNull(),
})

/** Names that cannot be chosen at sign-up, or only with approval. */
export const usernameBlocks = sqliteTable('username_blocks', {
  id: id<number>('id').primaryKey(),
  username: text('username').notNull().unique(),
  /** Form in which names are compared. */
  normalized: text('normalized').notNull(),
  /** Equal names only, instead of names that contain it. */
  exact: flag('exact').notNull().default(false),
  allowWithApproval: flag('allow_with_approval').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
