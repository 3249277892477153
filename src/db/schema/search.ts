import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { StatusId } from '../../lib/ids'
import { id } from '../query'
/** Statuses whose search document has to be rebuilt; `turn` distinguishes changes. */
export const searchStale = sqliteTable('search_stale', {
  statusId: id<StatusId>('status_id').primaryKey(),
  turn: integer('turn').notNull().default(0),
})

/** Accounts being indexed, with the id below which their statuses are still to do; account 0 is everyone. */
export const searchWalks = sqliteTable('search_walks', {
  accountId: integer('account_id').primaryKey(),
  beforeId: id<StatusId>('before_id').notNull(),
})
