import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, ApplicationId, MediaId, SavedReplyId, ScheduledId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { ContentType, InteractionPolicy, QuotePolicy, Visibility } from './statuses'

/** Parameters of a scheduled status. Absent ones are taken from the author's preferences when it is published. */
export interface ScheduledParams {
  readonly text: string
  readonly spoilerText: string
  readonly contentType?: ContentType | undefined
  readonly visibility?: Visibility | undefined
  readonly sensitive?: boolean | undefined
  readonly language?: string | undefined
  readonly inReplyToId?: StatusId | undefined
  readonly quotedId?: StatusId | undefined
  readonly mediaIds: readonly MediaId[]
  readonly poll?: ScheduledPoll | undefined
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy?: InteractionPolicy | undefined
  readonly reblogPolicy?: InteractionPolicy | undefined
  readonly localOnly?: boolean | undefined
  readonly allowedMentions?: readonly AccountId[] | undefined
}

export interface ScheduledPoll {
  readonly options: readonly string[]
  readonly expiresInSeconds: number
  readonly multiple: boolean
  readonly hideTotals: boolean
}

export const scheduledStatuses = sqliteTable('scheduled_statuses', {
  id: id<ScheduledId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  applicationId: id<ApplicationId>('application_id'),
  scheduledAt: instant('scheduled_at').notNull(),
  params: json<ScheduledParams>('params').notNull(),
  idempotencyKey: text('idempotency_key'),
  createdAt: instant('created_at').notNull(),
  dueAt: instant('due_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  failure: text('failure'),
})

export const cleanupPolicies = sqliteTable('cleanup_policies', {
  accountId: id<AccountId>('account_id').primaryKey(),
  enabled: flag('enabled').notNull(),
  minAgeSeconds: integer('min_age_seconds').notNull(),
  keepDirect: flag('keep_direct').notNull(),
  keepPinned: flag('keep_pinned').notNull(),
  keepPolls: flag('keep_polls').notNull(),
  keepMedia: flag('keep_media').notNull(),
  keepOwnFavourites: flag('keep_own_favourites').notNull(),
  keepOwnBookmarks: flag('keep_own_bookmarks').notNull(),
  minFavourites: integer('min_favourites'),
  minReblogs: integer('min_reblogs'),
  place: id<StatusId>('place').notNull().default(0),
  dueAt: instant('due_at').notNull(),
})

export const translations = sqliteTable('translations', {
  key: text('key').primaryKey(),
  answer: text('answer').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Posts that members have begun to write, by what each is about (`src/domain/drafts`). */
export const drafts = sqliteTable(
  'drafts',
  {
    accountId: id<AccountId>('account_id').notNull(),
    context: text('context').notNull(),
    fields: json<Readonly<Record<string, string>>>('fields').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.context] })],
)

/** Short texts that members answer with again and again (`src/domain/drafts`). */
export const savedReplies = sqliteTable(
  'saved_replies',
  {
    accountId: id<AccountId>('account_id').notNull(),
    id: id<SavedReplyId>('id').notNull(),
    name: text('name').notNull(),
    text: text('text').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.id] })],
)
