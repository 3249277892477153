import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
export const transferKinds = ['following', 'lists', 'blocks', 'mutes', 'domain_blocks', 'bookmarks'] as const
export type TransferKind = (typeof transferKinds)[number]

/**
 * `waiting`: its owner has not said yes; `clearing`: entries absent from the file are being removed; `adding`: its entries are
 * being added; `undoing`: what it changed is being undone.
 */
export const importStates = [
  'waiting',
  'clearing',
  'adding',
  'finished',
  'discarded',
  'undoing',
  'undone',
] as const

/** Results of entries; none while an entry waits, and for one that failed. */
export const entryOutcomes = ['added', 'kept', 'removed', 'undone'] as const

export const imports = sqliteTable('imports', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  kind: text('kind', { enum: transferKinds }).notNull(),
  overwrite: flag('overwrite').notNull().default(false),
  state: text('state', { enum: importStates }).notNull(),
  total: integer('total').notNull(),
  done: integer('done').notNull().default(0),
  failed: integer('failed').notNull().default(0),
  /** Entries of the file that were here when it was uploaded. */
  present: integer('present').notNull().default(0),
  /** Entries that were here then and are absent from a file that overwrites. */
  surplus: integer('surplus').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  /** Time of the last progress: an import without progress for long has stalled. */
  progressedAt: instant('progressed_at').notNull(),
  finishedAt: instant('finished_at'),
})

export const importEntries = sqliteTable(
  'import_entries',
  {
    importId: id<number>('import_id').notNull(),
    /** Normalised target of the entry, so that duplicates collapse. */
    key: text('key').notNull(),
    entry: json<unknown>('entry').notNull(),
    error: text('error'),
    outcome: text('outcome', { enum: entryOutcomes }),
    /** Flag: the account had it when the file was uploaded. */
    present: flag('present').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.importId, table.key] })],
)
