import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, TagId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { FileRef } from '../values'

export const customEmojis = sqliteTable('custom_emojis', {
  id: id<number>('id').primaryKey(),
  shortcode: text('shortcode').notNull(),
  domain: text('domain'),
  image: json<FileRef>('image').notNull(),
  still: json<FileRef>('still'),
  category: text('category'),
  visibleInPicker: flag('visible_in_picker').notNull().default(true),
  disabled: flag('disabled').notNull().default(false),
  createdAt: instant('created_at').notNull(),
})

export const emojiUseKinds = ['status', 'account', 'announcement'] as const
export type EmojiUseKind = (typeof emojiUseKinds)[number]

/** Local texts that contain a shortcode, whether there is such an emoji or not. */
export const emojiUses = sqliteTable(
  'emoji_uses',
  {
    shortcode: text('shortcode').notNull(),
    kind: text('kind', { enum: emojiUseKinds }).notNull(),
    subjectId: id<number>('subject_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shortcode, table.kind, table.subjectId] })],
)

export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: json<unknown>('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Every known server. */
export const instances = sqliteTable('instances', {
  domain: text('domain').primaryKey(),
  createdAt: instant('created_at').notNull(),
  /** The signature scheme it last accepted. */
  signature: text('signature', { enum: ['cavage', 'rfc9421'] }),
  software: text('software'),
  softwareVersion: text('software_version'),
  lastSeenAt: instant('last_seen_at'),
})

export type RuleTranslations = Readonly<Record<string, { readonly text: string; readonly hint: string }>>

export const rules = sqliteTable('rules', {
  id: id<number>('id').primaryKey(),
  position: integer('position').notNull(),
  text: text('text').notNull(),
  hint: text('hint').notNull().default(''),
  translations: json<RuleTranslations>('translations').notNull().default({}),
})

/** Versions by effective date, YYYY-MM-DD in UTC. */
export const termsOfService = sqliteTable('terms_of_service', {
  effectiveOn: text('effective_on').primaryKey(),
  text: text('text').notNull(),
  publishedAt: instant('published_at').notNull(),
  /** Summary of the changes, in Markdown. */
  changelog: text('changelog').notNull().default(''),
})

/** Notices of new terms to members, by the effective date of the version. */
export const termsNotices = sqliteTable('terms_notices', {
  effectiveOn: text('effective_on').primaryKey(),
  /** Members who joined later agreed to these terms when they did. */
  joinedBefore: instant('joined_before').notNull(),
  sentAt: instant('sent_at').notNull(),
  /** The last account, by its id, whose mail was sent or is not wanted. */
  mailedUpTo: integer('mailed_up_to').notNull().default(0),
  mails: integer('mails').notNull().default(0),
  /** Number of the part whose mails come next. */
  part: integer('part').notNull().default(0),
  /** Parts in a row that were cut short because mail failed. */
  failedParts: integer('failed_parts').notNull().default(0),
  finishedAt: instant('finished_at'),
})

export const counters = sqliteTable('counters', {
  name: text('name').primaryKey(),
  value: integer('value').notNull(),
})

export const activityWeeks = sqliteTable('activity_weeks', {
  week: integer('week').primaryKey(),
  statuses: integer('statuses').notNull().default(0),
  logins: integer('logins').notNull().default(0),
  registrations: integer('registrations').notNull().default(0),
  /** Counters of single days, see `domain/instance/daily-counters.ts`. */
  days: json<Readonly<Record<string, number>>>('days').notNull().default({}),
})

/** Counts by a key, as JSON. */
type Counts = Readonly<Record<string, number>>

/** Users active on a day, in days since 1970. */
export const activeDays = sqliteTable('active_days', {
  day: integer('day').primaryKey(),
  users: integer('users').notNull().default(0),
  /** See `lib/distinct-sketch.ts`. */
  sketch: text('sketch').notNull(),
  cohorts: json<Counts>('cohorts').notNull().default({}),
  monthCohorts: json<Counts>('month_cohorts').notNull().default({}),
  servers: json<Counts>('servers').notNull().default({}),
  /** Users by the day they were last active and their language, as changes: `{"20780/en": 1}`. */
  locales: json<Counts>('locales').notNull().default({}),
})

/** Days of activity but the two latest, by blocks of 96 days; kept by triggers (migration 0040). */
export const activeBlocks = sqliteTable('active_blocks', {
  block: integer('block').primaryKey(),
  days: text('days').notNull(),
})

/** Counts of a remote server by day: new on that day, and in total after it; kept by triggers (migration 0037). */
export const domainDays = sqliteTable(
  'domain_days',
  {
    domain: text('domain').notNull(),
    day: integer('day').notNull(),
    accounts: integer('accounts').notNull(),
    statuses: integer('statuses').notNull(),
    reports: integer('reports').notNull(),
    /** Of its accounts by local ones. */
    follows: integer('follows').notNull(),
    /** Of local accounts by its own. */
    followers: integer('followers').notNull(),
    allAccounts: integer('all_accounts').notNull(),
    allStatuses: integer('all_statuses').notNull(),
    allReports: integer('all_reports').notNull(),
    allFollows: integer('all_follows').notNull(),
    allFollowers: integer('all_followers').notNull(),
    languages: json<Counts>('languages').notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.domain, t.day] })],
)

/** Statuses that the counts of their servers include: those with ids below one. A single row; see migration 0064. */
export const statusCounting = sqliteTable('status_counting', {
  id: integer('id').primaryKey(),
  countedBefore: integer('counted_before').notNull(),
  /** 1 within a batch that counts what it deletes: of pruning, or of a deleted account. */
  isPruning: integer('is_pruning').notNull().default(0),
})

/** Days of a remote server but the latest one, by blocks of 96 days; kept by triggers (migration 0040). */
export const serverBlocks = sqliteTable(
  'domain_day_blocks',
  {
    domain: text('domain').notNull(),
    block: integer('block').notNull(),
    days: text('days').notNull(),
  },
  (t) => [primaryKey({ columns: [t.domain, t.block] })],
)

/** Uses of a hashtag on its latest day; kept by triggers (migration 0040), as its earlier days in `tagBlocks`. */
export const tagCounts = sqliteTable('tag_counts', {
  tagId: id<TagId>('tag_id').primaryKey(),
  day: integer('day').notNull(),
  uses: integer('uses').notNull(),
  accountCount: integer('account_count').notNull(),
  serverCount: integer('server_count').notNull(),
  accounts: json<Counts>('accounts').notNull(),
  servers: json<Counts>('servers').notNull(),
  languages: json<Counts>('languages').notNull(),
  lastServer: text('last_server').notNull(),
  lastLanguage: text('last_language').notNull(),
})

export const tagBlocks = sqliteTable(
  'tag_blocks',
  {
    tagId: id<TagId>('tag_id').notNull(),
    block: integer('block').notNull(),
    days: text('days').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tagId, t.block] })],
)

/** Bytes of uploads by blocks of 256 days; kept by triggers (migration 0040). */
export const mediaBlocks = sqliteTable('media_blocks', {
  block: integer('block').primaryKey(),
  bytes: integer('bytes').notNull(),
  days: text('days').notNull(),
})

/** Bytes of uploads by day until migration 0040. */
export const mediaDays = sqliteTable('media_days', {
  day: integer('day').primaryKey(),
  bytes: integer('bytes').notNull(),
})

/** Remote accounts by the number of their local followers; kept by triggers (migration 0037). */
export const followedAccounts = sqliteTable('followed_accounts', {
  accountId: id<AccountId>('account_id').primaryKey(),
  domain: text('domain').notNull(),
  localFollowers: integer('local_followers').notNull(),
})

/** Failed jobs, in the order in which the dead-letter queue delivered them. */
export const deadLetters = sqliteTable('dead_letters', {
  id: id<number>('id').primaryKey(),
  /** Of the queue message. */
  messageId: text('message_id').notNull().unique(),
  kind: text('kind').notNull(),
  message: json<unknown>('message').notNull(),
})

/** Last run of the cron (`cron`), and periodic tasks that fail. */
export const taskRuns = sqliteTable('task_runs', {
  task: text('task').primaryKey(),
  ranAt: instant('ran_at').notNull(),
  failingSince: instant('failing_since'),
  failures: integer('failures').notNull().default(0),
})

export const outbox = sqliteTable('outbox', {
  id: id<number>('id').primaryKey(),
  event: json<unknown>('event').notNull(),
  attempts: integer('attempts').notNull().default(0),
  notBefore: instant('not_before').notNull(),
})
