import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type FilterAction, type FilterContext, filterActions } from '../../contract/filters'
import type { AccountId, FilterId, FilterKeywordId, FilterStatusId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
export const filters = sqliteTable('filters', {
  id: id<FilterId>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  title: text('title').notNull(),
  contexts: json<readonly FilterContext[]>('contexts').notNull(),
  action: text('action', { enum: filterActions }).$type<FilterAction>().notNull(),
  expiresAt: instant('expires_at'),
})

export const filterKeywords = sqliteTable('filter_keywords', {
  id: id<FilterKeywordId>('id').primaryKey(),
  filterId: id<FilterId>('filter_id').notNull(),
  keyword: text('keyword').notNull(),
  wholeWord: flag('whole_word').notNull(),
})

export const filterStatuses = sqliteTable('filter_statuses', {
  id: id<FilterStatusId>('id').primaryKey(),
  filterId: id<FilterId>('filter_id').notNull(),
  statusId: id<StatusId>('status_id').notNull(),
})
