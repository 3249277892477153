import { eq, getTableColumns, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../../db/query'
import { accounts, archiveImports } from '../../../db/schema'
import { prefixedColumns } from '../../../db/sql'
import type { Ctx } from '../../../ports/ctx'
import { idPage, newestFirst, type Page } from '../../core/page'
import type { ArchiveImport } from './find-imported'

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
