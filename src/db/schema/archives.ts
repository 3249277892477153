import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AccountId, StatusId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
/** Proofs that an account of another server is the one that imports: it names it as an alias, or links to it. */
export const importProofs = ['alias', 'link'] as const
export type ImportProof = (typeof importProofs)[number]

/** Imports of archives, one for each account of another server that a local account brings statuses of. */
export const archiveImports = sqliteTable('archive_imports', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  /** Empty where it was not recorded yet. */
  actorUri: text('actor_uri').notNull(),
  /** Followers collection of the actor: what is addressed to it is for followers. */
  followersUri: text('followers_uri').notNull(),
  imported: integer('imported').notNull().default(0),
  refused: integer('refused').notNull().default(0),
  proof: text('proof', { enum: importProofs }),
  /** Imported statuses visible to everyone. */
  openCount: integer('open_count').notNull().default(0),
  /** Bytes of the rows of its statuses. */
  bytes: integer('bytes').notNull().default(0),
  files: integer('files').notNull().default(0),
  fileBytes: integer('file_bytes').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  progressedAt: instant('progressed_at').notNull(),
  /** Time at which staff removed it; a job deletes its statuses until `imported` is 0. */
  removedAt: instant('removed_at'),
})

export const archiveImportRefusals = sqliteTable(
  'archive_import_refusals',
  {
    importId: id<number>('import_id').notNull(),
    uri: text('uri').notNull(),
    reason: text('reason').notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.uri] })],
)

export const importedStatuses = sqliteTable(
  'imported_statuses',
  {
    accountId: id<AccountId>('account_id').notNull(),
    /** Address on the server it was written on. */
    uri: text('uri').notNull(),
    statusId: id<StatusId>('status_id').notNull(),
    importId: id<number>('import_id'),
    /** Shown on the profile and at its own address alone: nothing proves its date. */
    profileOnly: flag('profile_only').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.uri] })],
)

/** Imported by an account on a day (UTC), by all of its imports. Deleted posts and files stay counted. */
export const archiveImportDays = sqliteTable(
  'archive_import_days',
  {
    accountId: id<AccountId>('account_id').notNull(),
    /** Days since 1970. */
    day: integer('day').notNull(),
    /** Posts and shares, and new refusals. */
    entries: integer('entries').notNull().default(0),
    /** Bytes of the rows of these. */
    bytes: integer('bytes').notNull().default(0),
    files: integer('files').notNull().default(0),
    fileBytes: integer('file_bytes').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.day] })],
)

export const archiveStages = ['outbox', 'favourites', 'bookmarks', 'packing', 'ready'] as const

/** Archives of local accounts, made step by step for their owners. */
export const accountArchives = sqliteTable('account_archives', {
  id: id<number>('id').primaryKey(),
  accountId: id<AccountId>('account_id').notNull(),
  /** Folder in the media store. */
  folder: text('folder').notNull(),
  stage: text('stage', { enum: archiveStages }).notNull(),
  /** Number of the step to come. */
  step: integer('step').notNull().default(0),
  /** Time until which a run has the step, in milliseconds. */
  claimedUntil: integer('claimed_until').notNull().default(0),
  /** Last row of the stage, and entries of its document so far. */
  after: integer('after').notNull().default(0),
  items: integer('items').notNull().default(0),
  /** Files found so far; while packing, the position of the piece. */
  piece: integer('piece').notNull().default(0),
  pieceOffset: integer('piece_offset').notNull().default(0),
  pieceSize: integer('piece_size'),
  /** Bytes that wait for the next part. */
  waiting: integer('waiting').notNull().default(0),
  uploadId: text('upload_id'),
  /** Tags of the parts that are stored. */
  parts: json<readonly string[]>('parts').notNull().default([]),
  sizeBytes: integer('size_bytes').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  progressedAt: instant('progressed_at').notNull(),
  readyAt: instant('ready_at'),
})

export const archivePieces = sqliteTable(
  'archive_pieces',
  {
    archiveId: id<number>('archive_id').notNull(),
    position: integer('position').notNull(),
    /** Path of the file in the archive. */
    name: text('name').notNull(),
    key: text('key').notNull(),
    sizeBytes: integer('size_bytes'),
  },
  (t) => [primaryKey({ columns: [t.archiveId, t.position] })],
)
