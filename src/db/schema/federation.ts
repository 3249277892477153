import { sql } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, RelayId, StatusId, TagId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { Attachment, EmojiSnapshot } from '../values'
import { contentTypes } from './statuses'

/** Inboxes and collections of a remote actor; its profile is stored in `accounts`. */
export const remoteActors = sqliteTable('remote_actors', {
  accountId: id<AccountId>('account_id').primaryKey(),
  inbox: text('inbox').notNull(),
  sharedInbox: text('shared_inbox'),
  outbox: text('outbox'),
  followers: text('followers'),
  following: text('following'),
  featured: text('featured'),
  featuredTags: text('featured_tags'),
  featuredCollections: text('featured_collections'),
  /** The new address its document names, trusted only once that one names the old. */
  movedTo: text('moved_to'),
  /** True if `accounts.suspendedAt` was set by the account's own server. A suspension here sets it to false. */
  suspendedAtHome: flag('suspended_at_home').notNull().default(false),
  fetchedAt: instant('fetched_at').notNull(),
  backfilledAt: instant('backfilled_at'),
})

/** Servers that take no deliveries, as their couriers reported it at the last attempt. */
export const failingHosts = sqliteTable('failing_hosts', {
  host: text('host').primaryKey(),
  failingSince: instant('failing_since').notNull(),
  lastSuccessAt: instant('last_success_at'),
  /** Class of the last failure, such as `http 503`. */
  error: text('error'),
  failures: integer('failures').notNull(),
  waiting: integer('waiting').notNull(),
  oldestAt: instant('oldest_at'),
  nextAt: instant('next_at'),
  /** Given up after a week of failures. */
  unreachable: flag('unreachable').notNull().default(false),
  reportedAt: instant('reported_at').notNull(),
})

/** Inboxes that reach remote accounts, kept by triggers on `remote_actors`. */
export const inboxes = sqliteTable('inboxes', {
  id: id<number>('id').primaryKey(),
  url: text('url').notNull().unique(),
  /** Start of the time without delivery: set after a week of failures, until the server makes contact. */
  unreachableSince: instant('unreachable_since'),
})

/** Public keys by the key id of signatures, as PEM or as multibase (Ed25519). */
export const actorKeys = sqliteTable('actor_keys', {
  keyId: text('key_id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  publicKey: text('public_key').notNull(),
  createdAt: instant('created_at').notNull(),
})

export const quoteStates = ['pending', 'accepted', 'rejected', 'revoked'] as const
export type QuoteState = (typeof quoteStates)[number]

export const quotes = sqliteTable('quotes', {
  statusId: id<StatusId>('status_id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  quotedStatusId: id<StatusId>('quoted_status_id'),
  quotedAccountId: id<AccountId>('quoted_account_id'),
  quotedUri: text('quoted_uri').notNull(),
  state: text('state', { enum: quoteStates }).notNull(),
  legacy: integer('legacy', { mode: 'boolean' }).notNull().default(false),
  authorizationUri: text('authorization_uri'),
  requestUri: text('request_uri'),
  createdAt: instant('created_at').notNull(),
})

export const statusEdits = sqliteTable('status_edits', {
  id: id<number>('id').primaryKey(),
  statusId: id<StatusId>('status_id').notNull(),
  text: text('text').notNull().default(''),
  contentType: text('content_type', { enum: contentTypes }).notNull().default('text/plain'),
  content: text('content').notNull(),
  spoilerText: text('spoiler_text').notNull(),
  sensitive: flag('sensitive').notNull(),
  attachments: json<readonly Attachment[]>('attachments').notNull(),
  emojis: json<readonly EmojiSnapshot[]>('emojis').notNull(),
  pollOptions: json<readonly string[]>('poll_options'),
  createdAt: instant('created_at').notNull(),
})

export const emojiReactions = sqliteTable('emoji_reactions', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id').notNull(),
  name: text('name').notNull(),
  emoji: json<EmojiSnapshot>('emoji'),
  uri: text('uri'),
})

export const receivedActivities = sqliteTable('received_activities', {
  uri: text('uri').primaryKey(),
  /** Days since 1970. */
  day: integer('day').notNull(),
})

export const domainSeverities = ['noop', 'silence', 'suspend'] as const
export type DomainSeverity = (typeof domainSeverities)[number]

export const domainLimits = sqliteTable('domain_limits', {
  domain: text('domain').primaryKey(),
  id: id<number>('id').notNull().unique(),
  severity: text('severity', { enum: domainSeverities }).notNull(),
  rejectMedia: flag('reject_media').notNull().default(false),
  rejectReports: flag('reject_reports').notNull().default(false),
  obfuscate: flag('obfuscate').notNull().default(false),
  privateComment: text('private_comment').notNull().default(''),
  publicComment: text('public_comment').notNull().default(''),
  createdAt: instant('created_at').notNull(),
  /** The subscription that the limit comes from; null for a moderator's own. */
  blocklistId: id<number>('blocklist_id'),
})

/** Domains of remote accounts, kept by a trigger: a domain and its subdomains are one range of `reversed`. */
export const knownDomains = sqliteTable('known_domains', {
  /** The labels from the right: `example.social` for social.example. */
  reversed: text('reversed').primaryKey(),
  name: text('name').notNull(),
})

/** A server suspension in progress, with its position part by part. */
export const domainSuspensions = sqliteTable('domain_suspensions', {
  domain: text('domain').primaryKey(),
  eventId: id<number>('event_id').notNull(),
  /** The `suspendedAt` value set on accounts. */
  suspendedAt: instant('suspended_at').notNull(),
  /** The domain and its subdomains. */
  domains: json<readonly string[]>('domains').notNull(),
  stage: text('stage', { enum: ['accounts', 'notices'] })
    .notNull()
    .default('accounts'),
  /** The position in `domains`, and the last account processed there; for notifications the last recipient. */
  position: integer('position').notNull().default(0),
  afterId: id<AccountId>('after_id').notNull().default(sql`0`),
  accountsCount: integer('accounts_count').notNull(),
  accountsDone: integer('accounts_done').notNull().default(0),
  progressedAt: instant('progressed_at').notNull(),
})

export const allowedDomains = sqliteTable('allowed_domains', {
  domain: text('domain').primaryKey(),
  id: id<number>('id').notNull().unique(),
  createdAt: instant('created_at').notNull(),
})

export const relayStates = ['idle', 'pending', 'accepted', 'rejected'] as const
export type RelayState = (typeof relayStates)[number]

export const relays = sqliteTable('relays', {
  id: id<RelayId>('id').primaryKey(),
  inboxUrl: text('inbox_url').notNull().unique(),
  state: text('state', { enum: relayStates }).notNull().default('idle'),
  /** Number in the id of the Follow that was sent; null while idle. */
  followId: id<number>('follow_id'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const severanceEvents = sqliteTable('severance_events', {
  id: id<number>('id').primaryKey(),
  type: text('type', { enum: ['domain_block', 'user_domain_block', 'account_suspension'] }).notNull(),
  target: text('target').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Sums over `account_severances`. */
  followersCount: integer('followers_count').notNull().default(0),
  followingCount: integer('following_count').notNull().default(0),
  restoreStartedAt: instant('restore_started_at'),
  restoredAt: instant('restored_at'),
  restoredCount: integer('restored_count').notNull().default(0),
})

export const severedFollows = sqliteTable(
  'severed_follows',
  {
    eventId: id<number>('event_id').notNull(),
    accountId: id<AccountId>('account_id').notNull(),
    otherAccountId: id<AccountId>('other_account_id').notNull(),
    followed: flag('followed').notNull(),
    showReblogs: flag('show_reblogs').notNull().default(true),
    notify: flag('notify').notNull().default(false),
    languages: json<readonly string[]>('languages'),
    showReplies: flag('show_replies').notNull().default(true),
    fewer: flag('fewer').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.accountId, t.otherAccountId, t.followed] })],
)

/** Relationships each local account lost by an event. */
export const accountSeverances = sqliteTable(
  'account_severances',
  {
    eventId: id<number>('event_id').notNull(),
    accountId: id<AccountId>('account_id').notNull(),
    followersCount: integer('followers_count').notNull(),
    followingCount: integer('following_count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.accountId] })],
)

export const accountMoves = sqliteTable('account_moves', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  targetAccountId: id<AccountId>('target_account_id').notNull(),
  followersCount: integer('followers_count').notNull(),
  createdAt: instant('created_at').notNull(),
})

export const featuredTags = sqliteTable('featured_tags', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  tagId: id<TagId>('tag_id').notNull(),
  name: text('name').notNull(),
  statusesCount: integer('statuses_count').notNull().default(0),
  lastStatusAt: instant('last_status_at'),
  /** Statuses below this id are not counted yet; null: all are. */
  countingBefore: id<StatusId>('counting_before'),
  createdAt: instant('created_at').notNull(),
})
