import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'

const count = (name: string) => integer(name).notNull().default(0)

/** Uses of the platform's quotas by day since 1970 (UTC), and the size of the database at its end. */
export const usageDays = sqliteTable('usage_days', {
  day: integer('day').primaryKey(),
  requests: count('requests'),
  outgoingRequests: count('outgoing_requests'),
  statements: count('statements'),
  rowsRead: count('rows_read'),
  rowsWritten: count('rows_written'),
  objectCalls: count('object_calls'),
  queueOperations: count('queue_operations'),
  storageWrites: count('storage_writes'),
  storageReads: count('storage_reads'),
  imageTransformations: count('image_transformations'),
  mails: count('mails'),
  databaseBytes: count('database_bytes'),
})
