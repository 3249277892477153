import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { AccountId, StatusId } from '../../lib/ids'
import { flag, id, json } from '../query'
export const conversations = sqliteTable(
  'conversations',
  {
    accountId: id<AccountId>('account_id').notNull(),
    /** Id of its first status. */
    id: id<StatusId>('id').notNull(),
    /** The thread, as statuses name it. */
    conversationId: id<StatusId>('conversation_id').notNull(),
    /** The other participants in order; empty for messages to oneself. */
    participants: json<readonly AccountId[]>('participants').notNull(),
    lastStatusId: id<StatusId>('last_status_id').notNull(),
    unread: flag('unread').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.id] })],
)
