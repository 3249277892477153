import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, json } from '../columns'
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
})

export const outbox = sqliteTable('outbox', {
  id: id<number>('id').primaryKey(),
  event: json<unknown>('event').notNull(),
  attempts: integer('attempts').notNull().default(0),
  notBefore: instant('not_before').notNull(),
})
