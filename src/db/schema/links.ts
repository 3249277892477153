import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, CardId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
import type { Card } from '../values'

/** Metadata of pages, by their canonical URL. */
export const previewCards = sqliteTable('preview_cards', {
  id: id<CardId>('id').primaryKey(),
  url: text('url').notNull().unique(),
  host: text('host').notNull(),
  card: json<Card>('card').notNull(),
  /** Null until reviewed. */
  trendable: flag('trendable'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Addresses as linked. Without a card the page had none, could not be fetched, or is being fetched. */
export const previewPages = sqliteTable('preview_pages', {
  url: text('url').primaryKey(),
  cardId: id<CardId>('card_id'),
  askAgainAt: instant('ask_again_at').notNull(),
})

/** Public statuses by the card they show. */
export const statusLinks = sqliteTable('status_links', {
  statusId: id<StatusId>('status_id').primaryKey(),
  cardId: id<CardId>('card_id').notNull(),
  accountId: id<AccountId>('account_id').notNull(),
})
