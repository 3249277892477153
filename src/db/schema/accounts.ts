import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { StoredLook } from '../../contract/look'
import type { MailKind } from '../../contract/notification-kinds'
import type { AccountId, ApplicationId, InviteId, RoleId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { EmojiSnapshot, FeaturePolicy, FileRef, ProfileField } from '../values'

export const accounts = sqliteTable('accounts', {
  id: id<AccountId>('id').primaryKey(),
  username: text('username').notNull(),
  domain: text('domain'),
  uri: text('uri'),
  url: text('url'),
  displayName: text('display_name').notNull().default(''),
  note: text('note').notNull().default(''),
  noteHtml: text('note_html').notNull().default(''),
  fields: json<readonly ProfileField[]>('fields').notNull().default([]),
  emojis: json<readonly EmojiSnapshot[]>('emojis').notNull().default([]),
  avatar: json<FileRef>('avatar'),
  avatarDescription: text('avatar_description').notNull().default(''),
  header: json<FileRef>('header'),
  headerDescription: text('header_description').notNull().default(''),
  locked: flag('locked').notNull().default(false),
  actorType: text('actor_type', { enum: ['Person', 'Service', 'Group', 'Organization', 'Application'] })
    .notNull()
    .default('Person'),
  discoverable: flag('discoverable'),
  indexable: flag('indexable').notNull().default(false),
  hideCollections: flag('hide_collections'),
  showMedia: flag('show_media').notNull().default(true),
  showMediaReplies: flag('show_media_replies').notNull().default(true),
  showFeatured: flag('show_featured').notNull().default(true),
  attributionDomains: json<readonly string[]>('attribution_domains').notNull().default([]),
  alsoKnownAs: json<readonly string[]>('also_known_as').notNull().default([]),
  movedToAccountId: id<AccountId>('moved_to_account_id'),
  memorial: flag('memorial').notNull().default(false),
  suspendedAt: instant('suspended_at'),
  silencedAt: instant('silenced_at'),
  sensitizedAt: instant('sensitized_at'),
  publicKey: text('public_key'),
  /** Feature policy of a remote account; null if its actor has none. */
  featurePolicy: json<FeaturePolicy>('feature_policy'),
  statusesCount: integer('statuses_count').notNull().default(0),
  followersCount: integer('followers_count').notNull().default(0),
  followingCount: integer('following_count').notNull().default(0),
  lastStatusAt: instant('last_status_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const accountKeys = sqliteTable('account_keys', {
  accountId: id<AccountId>('account_id').primaryKey(),
  /** Encrypted by the vault; never leaves D1 and the vault in the clear. */
  privateKey: text('private_key').notNull(),
  createdAt: instant('created_at').notNull(),
  /** The key that `rotatedAt` replaced, encrypted alike. */
  previousPrivateKey: text('previous_private_key'),
  rotatedAt: instant('rotated_at'),
})

export const roles = sqliteTable('roles', {
  id: id<RoleId>('id').primaryKey(),
  name: text('name').notNull(),
  color: text('color').notNull().default(''),
  position: integer('position').notNull(),
  permissions: integer('permissions').notNull().default(0),
  highlighted: flag('highlighted').notNull().default(false),
  collectionLimit: integer('collection_limit').notNull().default(10),
  /** Users with the role need two-factor authentication. */
  requireTwoFactor: flag('require_two_factor').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const invites = sqliteTable('invites', {
  id: id<InviteId>('id').primaryKey(),
  code: text('code').notNull().unique(),
  accountId: id<AccountId>('account_id').notNull(),
  maxUses: integer('max_uses'),
  uses: integer('uses').notNull().default(0),
  expiresAt: instant('expires_at'),
  autofollow: flag('autofollow').notNull().default(false),
  comment: text('comment').notNull().default(''),
  createdAt: instant('created_at').notNull(),
})

/** Notification emails a user chose; `always` sends them even while the user is active. */
export type MailSettings = Readonly<Partial<Record<MailKind | 'always', boolean>>>

/** Kinds of entries that a home timeline can go without. */
export const homeKinds = ['boosts', 'replies', 'quotes'] as const
export type HomeKind = (typeof homeKinds)[number]

export const catchUpGroups = ['person', 'thread'] as const
export const catchUpOrders = ['newest', 'most'] as const

/** Groups of the posts of catch-up, and which of them come first: those with the newest post, or with most posts. */
export interface CatchUpChoices {
  readonly by: (typeof catchUpGroups)[number]
  readonly order: (typeof catchUpOrders)[number]
}

/** A user's settings for posting and reading; an absent key means the default. */
export interface UserSettings extends StoredLook {
  readonly mail?: MailSettings
  readonly defaultVisibility?: 'public' | 'unlisted' | 'private' | 'direct'
  readonly defaultSensitive?: boolean
  readonly defaultLanguage?: string | null
  /** Public timelines show only these languages, and statuses without one; any language when null or empty. */
  readonly chosenLanguages?: readonly string[] | null
  readonly defaultQuotePolicy?: 'public' | 'followers' | 'nobody'
  readonly defaultContentType?: 'text/plain' | 'text/markdown'
  readonly showApplication?: boolean
  /** The web client asks before it posts files without a description. */
  readonly remindsOfDescriptions?: boolean
  /** Kinds of entries that the home page of the web client leaves out; apps choose for themselves. */
  readonly homeWithout?: readonly HomeKind[]
  /** Groups and order of catch-up of the web client. */
  readonly catchUp?: CatchUpChoices
  /** Views that the web client shows side by side, as `home` or `list:12`. */
  readonly columns?: readonly string[]
  /** Boosts of a short time are one strip on the home page of the web client, as they are by default. */
  readonly gathersBoosts?: boolean
}

export const users = sqliteTable('users', {
  accountId: id<AccountId>('account_id').primaryKey(),
  email: text('email').notNull(),
  unconfirmedEmail: text('unconfirmed_email'),
  passwordHash: text('password_hash').notNull(),
  roleId: id<RoleId>('role_id'),
  locale: text('locale').notNull().default('en'),
  timeZone: text('time_zone'),
  confirmedAt: instant('confirmed_at'),
  approved: flag('approved').notNull().default(true),
  disabledAt: instant('disabled_at'),
  signUpReason: text('sign_up_reason'),
  signUpIp: text('sign_up_ip'),
  createdByApplicationId: id<ApplicationId>('created_by_application_id'),
  inviteId: id<InviteId>('invite_id'),
  settings: json<UserSettings>('settings').notNull().default({}),
  lastActiveAt: instant('last_active_at'),
  createdAt: instant('created_at').notNull(),
  /** No code by mail is asked for when a sign-in looks new. */
  skipSignInToken: flag('skip_sign_in_token').notNull().default(false),
  /** Time at which the user last said to have seen new terms of service. */
  termsSeenAt: instant('terms_seen_at'),
  /** Changes with every edit of the filters; null without filters. */
  filtersVersion: integer('filters_version'),
  /** Newest strike that the user was notified of, and has neither confirmed nor appealed against. */
  strikeToSee: id<number>('strike_to_see'),
  /** The first steps are shown once the account is confirmed and approved. */
  firstStepsDue: flag('first_steps_due').notNull().default(false),
})

export const userTokens = sqliteTable('user_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  purpose: text('purpose', { enum: ['confirm', 'reset'] }).notNull(),
  email: text('email'),
  expiresAt: instant('expires_at').notNull(),
})

/** Suspended accounts whose data are removed at `dueAt`, unless the suspension is lifted before. */
export const accountDeletions = sqliteTable('account_deletions', {
  accountId: id<AccountId>('account_id').primaryKey(),
  dueAt: instant('due_at').notNull(),
})
