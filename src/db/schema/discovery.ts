import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, StatusId, TagId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { EmojiSnapshot, Mention, ReactionCount, StatusTag } from '../values'

export const suggestionDismissals = sqliteTable(
  'suggestion_dismissals',
  {
    accountId: id<AccountId>('account_id').notNull(),
    targetAccountId: id<AccountId>('target_account_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.targetAccountId] })],
)

/** Sources of a suggestion, as named in the API. */
export const suggestionSources = [
  'featured',
  'friends_of_friends',
  'most_followed',
  'most_interactions',
] as const
export type SuggestionSource = (typeof suggestionSources)[number]

/** A suggested account. */
export interface SuggestionEntry {
  readonly id: AccountId
  readonly sources: readonly SuggestionSource[]
}

export const suggestionLists = sqliteTable('suggestion_lists', {
  accountId: id<AccountId>('account_id').primaryKey(),
  entries: json<readonly SuggestionEntry[]>('entries').notNull(),
  computedAt: instant('computed_at').notNull(),
})

export const announcements = sqliteTable('announcements', {
  id: id<number>('id').primaryKey(),
  text: text('text').notNull(),
  content: text('content').notNull(),
  mentions: json<readonly Mention[]>('mentions').notNull().default([]),
  tags: json<readonly StatusTag[]>('tags').notNull().default([]),
  emojis: json<readonly EmojiSnapshot[]>('emojis').notNull().default([]),
  statusIds: json<readonly StatusId[]>('status_ids').notNull().default([]),
  reactions: json<readonly ReactionCount[]>('reactions').notNull().default([]),
  allDay: flag('all_day').notNull().default(false),
  startsAt: instant('starts_at'),
  endsAt: instant('ends_at'),
  publishedAt: instant('published_at'),
  /** Time of the notification to connected users. */
  notifiedAt: instant('told_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const announcementMutes = sqliteTable(
  'announcement_mutes',
  {
    accountId: id<AccountId>('account_id').notNull(),
    announcementId: id<number>('announcement_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.announcementId] })],
)

export const announcementReactions = sqliteTable(
  'announcement_reactions',
  {
    announcementId: id<number>('announcement_id').notNull(),
    accountId: id<AccountId>('account_id').notNull(),
    name: text('name').notNull(),
  },
  (t) => [primaryKey({ columns: [t.announcementId, t.accountId, t.name] })],
)

export const trendAuthors = sqliteTable('trend_authors', {
  accountId: id<AccountId>('account_id').primaryKey(),
  trendable: flag('trendable'),
  reviewedAt: instant('reviewed_at'),
  /** Time at which moderators were asked to decide. */
  requestedReviewAt: instant('requested_review_at'),
})

export const trendPublishers = sqliteTable('trend_publishers', {
  id: id<number>('id').primaryKey(),
  domain: text('domain').notNull().unique(),
  trendable: flag('trendable'),
  reviewedAt: instant('reviewed_at'),
  requestedReviewAt: instant('requested_review_at'),
})

/** Uses of one day, and the number of accounts that made them. */
export type DayOfUse = readonly [uses: number, accounts: number]

export const trendingTags = sqliteTable('trending_tags', {
  tagId: id<TagId>('tag_id').primaryKey(),
  rank: real('rank').notNull(),
  peak: real('peak').notNull(),
  peakAt: instant('peak_at').notNull(),
  /** Days since 1970: the first day of `history`, which goes backwards. */
  day: integer('day').notNull(),
  history: json<readonly DayOfUse[]>('history').notNull(),
})

export const trendingStatuses = sqliteTable('trending_statuses', {
  statusId: id<StatusId>('status_id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  language: text('language').notNull(),
  rank: real('rank').notNull(),
  trendable: flag('trendable'),
  reviewedAt: instant('reviewed_at'),
})

export const trendingLinks = sqliteTable('trending_links', {
  cardId: id<number>('card_id').primaryKey(),
  language: text('language'),
  rank: real('rank').notNull(),
  peak: real('peak').notNull(),
  peakAt: instant('peak_at').notNull(),
  day: integer('day').notNull(),
  history: json<readonly DayOfUse[]>('history').notNull(),
})
