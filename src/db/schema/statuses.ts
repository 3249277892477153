import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, ApplicationId, MediaId, PollId, ScheduledId, StatusId, TagId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type {
  Approval,
  ApprovalAction,
  Attachment,
  AttachmentMeta,
  Card,
  EmojiSnapshot,
  Mention,
  ReactionCount,
  StatusTag,
} from '../values'

export const visibilities = ['public', 'unlisted', 'private', 'direct'] as const
export type Visibility = (typeof visibilities)[number]

export const quotePolicies = ['public', 'followers', 'nobody'] as const
export type QuotePolicy = (typeof quotePolicies)[number]

/** Accounts allowed to reply or reblog: everyone, followers and mentioned accounts, mentioned accounts only. */
export const interactionPolicies = ['public', 'followers', 'mentioned'] as const
export type InteractionPolicy = (typeof interactionPolicies)[number]

/** Accounts allowed to favourite a remote status; 'nobody' leaves out mentioned accounts too. */
export const likePolicies = [...interactionPolicies, 'nobody'] as const
export type LikePolicy = (typeof likePolicies)[number]

export const contentTypes = ['text/plain', 'text/markdown'] as const
export type ContentType = (typeof contentTypes)[number]

export const statuses = sqliteTable('statuses', {
  id: id<StatusId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  uri: text('uri'),
  url: text('url'),
  local: flag('local').notNull(),
  visibility: text('visibility', { enum: visibilities }).notNull(),
  text: text('text').notNull().default(''),
  contentType: text('content_type', { enum: contentTypes }).notNull().default('text/plain'),
  content: text('content').notNull().default(''),
  spoilerText: text('spoiler_text').notNull().default(''),
  sensitive: flag('sensitive').notNull().default(false),
  language: text('language'),
  inReplyToId: id<StatusId>('in_reply_to_id'),
  inReplyToAccountId: id<AccountId>('in_reply_to_account_id'),
  reblogOfId: id<StatusId>('reblog_of_id'),
  conversationId: id<StatusId>('conversation_id').notNull(),
  applicationId: id<ApplicationId>('application_id'),
  pollId: id<PollId>('poll_id'),
  attachments: json<readonly Attachment[]>('attachments').notNull().default([]),
  mentions: json<readonly Mention[]>('mentions').notNull().default([]),
  tags: json<readonly StatusTag[]>('tags').notNull().default([]),
  emojis: json<readonly EmojiSnapshot[]>('emojis').notNull().default([]),
  card: json<Card>('card'),
  quotePolicy: text('quote_policy', { enum: quotePolicies }).notNull().default('public'),
  /** URI of the replied-to status, kept while that is unknown here. */
  inReplyToUri: text('in_reply_to_uri'),
  /** Replies collection of a remote status, without the URI of the status where it begins with that. */
  repliesUri: text('replies_uri'),
  /** Thread of a remote status without a stored parent, as its server addresses it (FEP-7888). */
  contextUri: text('context_uri'),
  /** Not federated: visible to local users only. */
  localOnly: flag('local_only').notNull().default(false),
  replyPolicy: text('reply_policy', { enum: interactionPolicies }).notNull().default('public'),
  reblogPolicy: text('reblog_policy', { enum: interactionPolicies }).notNull().default('public'),
  likePolicy: text('like_policy', { enum: likePolicies }).notNull().default('public'),
  /**
   * Interactions that accounts outside the policies above may make with the author's approval; remote statuses
   * only.
   */
  askedFirst: json<readonly ApprovalAction[]>('asked_first').notNull().default([]),
  /** Of a reply or a reblog: the approval by the other status' author. Null if not required. */
  approval: json<Approval>('approval'),
  reactions: json<readonly ReactionCount[]>('reactions').notNull().default([]),
  /** Ids of the local collections whose pages it links. */
  linkedCollections: json<readonly number[]>('linked_collections').notNull().default([]),
  repliesCount: integer('replies_count').notNull().default(0),
  reblogsCount: integer('reblogs_count').notNull().default(0),
  favouritesCount: integer('favourites_count').notNull().default(0),
  quotesCount: integer('quotes_count').notNull().default(0),
  /** Count by the author's server; null if unknown. Shown only, never used for decisions. */
  untrustedReblogsCount: integer('untrusted_reblogs_count'),
  untrustedFavouritesCount: integer('untrusted_favourites_count'),
  /** A reblog of a status that had very many when it came: see `latestReblogs`. */
  reblogOfMany: flag('reblog_of_many').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  editedAt: instant('edited_at'),
})

export const statusMentions = sqliteTable(
  'status_mentions',
  {
    statusId: id<StatusId>('status_id').notNull(),
    accountId: id<AccountId>('account_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.statusId, t.accountId] })],
)

export const tags = sqliteTable('tags', {
  id: id<TagId>('id').primaryKey(),
  name: text('name').notNull().unique(),
  displayName: text('display_name').notNull(),
  usable: flag('usable').notNull().default(true),
  listable: flag('listable').notNull().default(true),
  trendable: flag('trendable'),
  createdAt: instant('created_at').notNull(),
  reviewedAt: instant('reviewed_at'),
  /** Time at which moderators were asked to decide. */
  requestedReviewAt: instant('requested_review_at'),
})

export const statusTags = sqliteTable(
  'status_tags',
  {
    tagId: id<TagId>('tag_id').notNull(),
    statusId: id<StatusId>('status_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tagId, t.statusId] })],
)

/** Tags that edits took off a status, which feeds of their followers continue showing. */
export const formerTags = sqliteTable(
  'former_tags',
  {
    statusId: id<StatusId>('status_id').notNull(),
    tagId: id<TagId>('tag_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.statusId, t.tagId] })],
)

export const polls = sqliteTable('polls', {
  id: id<PollId>('id').primaryKey(),
  /** Id of the row before it, by which clients know a poll that restarted. */
  publicId: id<PollId>('public_id'),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id').notNull(),
  options: json<readonly string[]>('options').notNull(),
  tallies: json<readonly number[]>('tallies').notNull(),
  multiple: flag('multiple').notNull().default(false),
  hideTotals: flag('hide_totals').notNull().default(false),
  votesCount: integer('votes_count').notNull().default(0),
  votersCount: integer('voters_count'),
  expiresAt: instant('expires_at'),
  closedAt: instant('closed_at'),
})

export const pollVotes = sqliteTable(
  'poll_votes',
  {
    pollId: id<PollId>('poll_id').notNull(),
    accountId: id<AccountId>('account_id').notNull(),
    choice: integer('choice').notNull(),
  },
  (t) => [primaryKey({ columns: [t.pollId, t.accountId, t.choice] })],
)

export const favourites = sqliteTable('favourites', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id').notNull(),
  uri: text('uri'),
  /** Of a local account: the approval by a remote author. */
  approval: json<Approval>('approval'),
})

/**
 * Favourites of local accounts that await the approval of the remote author. They count nowhere, and only their own account
 * sees them; the row moves to `favourites` with its id.
 */
export const favouriteRequests = sqliteTable('favourite_requests', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id').notNull(),
})

export const bookmarks = sqliteTable('bookmarks', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id').notNull(),
})

export const statusPins = sqliteTable('status_pins', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id').notNull().unique(),
})

export const conversationMutes = sqliteTable(
  'conversation_mutes',
  {
    accountId: id<AccountId>('account_id').notNull(),
    conversationId: id<StatusId>('conversation_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.conversationId] })],
)

export const tombstones = sqliteTable('tombstones', {
  uri: text('uri').primaryKey(),
  deletedAt: instant('deleted_at').notNull(),
  /**
   * True if the status was public: its address returns a tombstone. Other rows only keep old copies from being
   * stored again.
   */
  published: flag('published').notNull().default(false),
})

export const mediaAttachments = sqliteTable('media_attachments', {
  id: id<MediaId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  statusId: id<StatusId>('status_id'),
  type: text('type', { enum: ['image', 'gifv', 'video', 'audio', 'unknown'] }).notNull(),
  mime: text('mime').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  fileKey: text('file_key').notNull(),
  previewKey: text('preview_key'),
  description: text('description'),
  blurhash: text('blurhash'),
  meta: json<AttachmentMeta>('meta').notNull().default({}),
  createdAt: instant('created_at').notNull(),
  scheduledStatusId: id<ScheduledId>('scheduled_status_id'),
  /** Deleted status that it was released from, until another one has it: its files are withheld. */
  releasedFrom: id<StatusId>('released_from'),
})

export const homeEntries = sqliteTable(
  'home_entries',
  {
    accountId: id<AccountId>('account_id').notNull(),
    statusId: id<StatusId>('status_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.statusId] })],
)

/** Home feeds of full length, whose oldest entry becomes the next new one (migration 0062). */
export const fullHomeFeeds = sqliteTable('full_home_feeds', {
  accountId: id<AccountId>('account_id').primaryKey(),
})

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    accountId: id<AccountId>('account_id').notNull(),
    key: text('key').notNull(),
    statusId: id<StatusId>('status_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.key] })],
)
