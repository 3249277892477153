import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { first, map, prefixedColumns, type Query, rows } from '../../../db/query'
import { accounts, archiveImports, importedStatuses } from '../../../db/schema'
import type { StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { idPage, newestFirst, type Page } from '../../core/page'
import type { ArchiveImport } from './find-imported'

/** Account of another server that proved to be the one that imported from it. */
export interface ImportSource {
  readonly url: string
  /** Handle, or address where the account is not known here any more. */
  readonly name: string
}

/** An import as pages name it: its source, or null where nothing proves one. */
export type Imported = { readonly source: ImportSource | null }

const { actorUri, proof } = archiveImports
const { username, domain, url, suspendedAt } = accounts
const sourceColumns = { actorUri, proof, username, domain, url, suspendedAt }
const isSource = sql`${accounts.uri} = ${archiveImports.actorUri}`

interface SourceRow {
  readonly actorUri: string | null
  readonly proof: string | null
  readonly username: string | null
  readonly domain: string | null
  readonly url: string | null
  readonly suspendedAt: Date | null
}

/** An account that is suspended here is not named. */
function importedOf(row: SourceRow): Imported {
  if (row.actorUri === null || row.proof === null || row.suspendedAt !== null) return { source: null }
  const name = row.username === null ? row.actorUri : `@${row.username}@${row.domain}`
  return { source: { url: row.url ?? row.actorUri, name } }
}

/** Imports of an account that brought statuses visible to everyone; two rows for each, 40 at most. */
export function importsShownBy(ctx: Ctx, owner: SQL): Query<readonly Imported[]> {
  const isThere = sql`exists (select 1 from imported_statuses i
    where i.account_id = ${archiveImports.accountId} and i.import_id = ${archiveImports.id})`
  const found = ctx.db
    .select(sourceColumns)
    .from(archiveImports)
    .leftJoin(accounts, isSource)
    .where(
      sql`${archiveImports.accountId} = (${owner}) and ${archiveImports.openCount} > 0
        and ${archiveImports.removedAt} is null and ${isThere}`,
    )
  return map(rows(found), (all) => all.map(importedOf))
}

/** The import that a status is of; null for one that was written here. Three rows at most. */
export function importOf(ctx: Ctx, id: StatusId): Query<Imported | null> {
  const found = ctx.db
    .select(sourceColumns)
    .from(importedStatuses)
    .leftJoin(archiveImports, sql`${archiveImports.id} = ${importedStatuses.importId}`)
    .leftJoin(accounts, isSource)
    .where(sql`${importedStatuses.statusId} = ${id}`)
  return map(first(found), (row) => (row === null ? null : importedOf(row)))
}

/** An import of an archive as staff sees it. */
export interface AnyImport extends ArchiveImport {
  readonly username: string
}

/** A page of the imports of all members, latest first; two rows for each. */
export function findImports(ctx: Ctx, page: Page): Query<AnyImport[]> {
  const { bounds, order } = idPage(page, sql`${archiveImports.id}`)
  return map(rows(selection(ctx).where(bounds).orderBy(order)), (found) => newestFirst(found.map(flat)))
}

/** The import with this id, of whatever member. */
export function findImportById(ctx: Ctx, id: number): Query<AnyImport | null> {
  const found = first(selection(ctx).where(eq(archiveImports.id, id)))
  return map(found, (row) => (row === null ? null : flat(row)))
}

const columns = getTableColumns(archiveImports)

function selection(ctx: Ctx) {
  return ctx.db
    .select({
      archive: prefixedColumns('i', columns),
      username: sql<string>`${accounts.username}`.as('importer'),
    })
    .from(archiveImports)
    .innerJoin(accounts, eq(accounts.id, archiveImports.accountId))
}

function flat({
  archive,
  username,
}: {
  readonly archive: ArchiveImport
  readonly username: string
}): AnyImport {
  return { ...archive, username }
}
