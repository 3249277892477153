import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../db/schema'

/** Table of the database that backups hold. */
export interface DumpedTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly isReal: boolean }[]
  /** Columns of the primary key, by which the rows are ordered. */
  readonly key: readonly string[]
}

/** Tables without a backup, and why. Tables of full-text indexes are rebuilt from the restored rows. */
export const leftOut: Readonly<Record<string, string>> = {
  backups: 'describes the bucket it is used with, and the run itself',
  backup_parts: 'describes the bucket it is used with, and the run itself',
  heard_topics: 'names live connections of one deployment',
  presences: 'names live connections of one deployment',
  search_stale: 'all statuses are indexed anew after a restore',
  search_walks: 'all statuses are indexed anew after a restore',
}

/**
 * Tables that others refer to, in the order of a backup: a row made later than its table was read is missing with
 * everything that refers to it, not in part. `test/domain/backups/tables.test.ts` compares the order with the foreign keys.
 */
const referredTo = [
  'settings',
  'roles',
  'applications',
  'accounts',
  'invites',
  'users',
  'sessions',
  'access_tokens',
  'crypto_devices',
  'tags',
  'statuses',
  'polls',
  'reports',
  'account_warnings',
  'severance_events',
  'domain_limits',
  'blocklists',
  'email_domain_blocks',
  'announcements',
  'terms_of_service',
  'lists',
  'filters',
  'collections',
  'imports',
  'archive_imports',
  'scheduled_statuses',
  'webhooks',
]

let known: readonly DumpedTable[] | null = null

/** Tables in the order in which a backup holds them: those that others refer to first. */
export function dumpedTables(): readonly DumpedTable[] {
  known ??= Object.values(schema)
    .filter((table) => is(table, SQLiteTable))
    .map(describe)
    .filter(({ name }) => !Object.hasOwn(leftOut, name))
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1))
  return known
}

/** The tables behind one. */
export function tablesBehind({ name }: DumpedTable): readonly DumpedTable[] {
  const tables = dumpedTables()
  return tables.slice(tables.findIndex((table) => table.name === name) + 1)
}

function placeOf({ name }: DumpedTable): number {
  const place = referredTo.indexOf(name)
  return place === -1 ? referredTo.length : place
}

function describe(table: SQLiteTable): DumpedTable {
  const columns = Object.values(getTableColumns(table))
  const { primaryKeys } = getTableConfig(table)
  const key =
    primaryKeys[0]?.columns.map(({ name }) => name) ??
    columns.filter(({ primary }) => primary).map(({ name }) => name)
  return {
    name: getTableName(table),
    columns: columns.map((column) => ({ name: column.name, isReal: column.getSQLType() === 'real' })),
    key,
  }
}
