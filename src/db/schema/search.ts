import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { StatusId } from '../../lib/ids'
import { id } from '../columns'

/** Statuses whose document in the index has to be written anew; `turn` tells one change from the next. */
export const searchStale = sqliteTable('search_stale', {
  statusId: id<StatusId>('status_id').primaryKey(),
  turn: integer('turn').notNull().default(0),
})

/** Whose statuses are gone through for the index, and below which id they still are; account 0 is everybody. */
export const searchWalks = sqliteTable('search_walks', {
  accountId: integer('account_id').primaryKey(),
  beforeId: id<StatusId>('before_id').notNull(),
})
