import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { flag, id, instant, json } from '../columns'

export const transferKinds = ['following', 'lists', 'blocks', 'mutes', 'domain_blocks', 'bookmarks'] as const
export type TransferKind = (typeof transferKinds)[number]

/** `clearing`: what the file lacks is being removed; `adding`: what it has is being added. */
export const importStates = ['clearing', 'adding', 'finished'] as const

export const imports = sqliteTable('imports', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  kind: text('kind', { enum: transferKinds }).notNull(),
  overwrite: flag('overwrite').notNull().default(false),
  state: text('state', { enum: importStates }).notNull(),
  total: integer('total').notNull(),
  done: integer('done').notNull().default(0),
  failed: integer('failed').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  /** When a part of it was last done: one that rests for long was forgotten. */
  progressedAt: instant('progressed_at').notNull(),
  finishedAt: instant('finished_at'),
})

export const importEntries = sqliteTable(
  'import_entries',
  {
    importId: id<number>('import_id').notNull(),
    /** What the entry is about, in one spelling, so that it stands there once. */
    key: text('key').notNull(),
    entry: json<unknown>('entry').notNull(),
    error: text('error'),
  },
  (table) => [primaryKey({ columns: [table.importId, table.key] })],
)
