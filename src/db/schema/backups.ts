import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, json } from '../query'
/** Place of the part of a backup that comes next. */
export type BackupPosition =
  /** Rows of `table` behind `after`, the values of its primary key. */
  | {
      readonly phase: 'database'
      readonly table: string
      readonly after: readonly (number | string)[] | null
    }
  /** Objects behind the key `after`. */
  | { readonly phase: 'media'; readonly after: string }
  | { readonly phase: 'manifest' }

export const backups = sqliteTable('backups', {
  id: id<number>('id').primaryKey(),
  name: text('name').notNull().unique(),
  state: text('state', { enum: ['running', 'complete', 'failed', 'deleting'] })
    .notNull()
    .default('running'),
  requested: flag('requested').notNull().default(false),
  schema: text('schema').notNull(),
  position: json<BackupPosition>('position').notNull(),
  failures: integer('failures').notNull().default(0),
  error: text('error'),
  parts: integer('parts').notNull().default(0),
  rows: integer('rows').notNull().default(0),
  bytes: integer('bytes').notNull().default(0),
  mediaObjects: integer('media_objects').notNull().default(0),
  mediaBytes: integer('media_bytes').notNull().default(0),
  startedAt: instant('started_at').notNull(),
  finishedAt: instant('finished_at'),
})

/** Parts of backups: rows of tables by their number, or the number of `objects`. */
export const backupParts = sqliteTable(
  'backup_parts',
  {
    backupId: id<number>('backup_id').notNull(),
    number: integer('number').notNull(),
    file: text('file').notNull(),
    kind: text('kind', { enum: ['database', 'media'] }).notNull(),
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    contents: json<Readonly<Record<string, number>>>('contents').notNull(),
  },
  (table) => [primaryKey({ columns: [table.backupId, table.number] })],
)
