import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, map, type Query, rows } from '../../db/query'
import { accounts, importEntries, imports } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { isActiveAccount } from '../policy/account-visibility'
import { Entry } from './entries'

export type Import = typeof imports.$inferSelect

/** An unfinished import, with its owner. Null if it is finished, or the owner may not act any more. */
export interface OpenImport extends Import {
  readonly silenced: boolean
}

const StoredEntry = z.object({ entry: Entry.nullable(), cells: z.array(z.string()) })

/** Condition: the owner of an import is approved and not suspended. */
export const mayOwnerAct = sql<boolean>`${isActiveAccount('imports.account_id')}`.mapWith(Boolean)

/** The import of a job. One statement. */
export function openImport(ctx: Ctx, id: number): Query<OpenImport | null> {
  return first(
    ctx.db
      .select({
        ...getTableColumns(imports),
        silenced: sql<boolean>`${accounts.silencedAt} is not null`.mapWith(Boolean).as('silenced'),
      })
      .from(imports)
      .innerJoin(accounts, eq(accounts.id, imports.accountId))
      .where(sql`${imports.id} = ${id} and ${imports.finishedAt} is null and ${mayOwnerAct}`),
  )
}

/** The next entries to be added. */
export function openEntries(
  ctx: Ctx,
  importId: number,
  limit: number,
): Query<readonly { readonly key: string; readonly entry: Entry }[]> {
  const found = ctx.db
    .select({ key: importEntries.key, entry: importEntries.entry })
    .from(importEntries)
    .where(sql`import_id = ${importId} and error is null`)
    .limit(limit)
  return map(rows(found), (list) =>
    list.flatMap(({ key, entry }) => {
      const kept = StoredEntry.parse(entry).entry
      return kept === null ? [] : [{ key, entry: kept }]
    }),
  )
}

/** The latest imports of an account. */
export function importsOf(ctx: Ctx, owner: AccountId): Query<readonly Import[]> {
  return rows(
    ctx.db.select().from(imports).where(eq(imports.accountId, owner)).orderBy(desc(imports.id)).limit(10),
  )
}

/** The cells of failed lines, each with its reason appended; null for an unknown import. */
export function failuresOf(
  ctx: Ctx,
  owner: AccountId,
  importId: number,
): Query<readonly (readonly string[])[] | null> {
  const found = ctx.db
    .select({ entry: importEntries.entry, error: importEntries.error })
    .from(imports)
    .leftJoin(
      importEntries,
      sql`${importEntries.importId} = ${imports.id} and ${importEntries.error} is not null`,
    )
    .where(sql`${imports.id} = ${importId} and ${imports.accountId} = ${owner}`)
  return map(rows(found), (list) => {
    if (list.length === 0) return null
    return list.flatMap(({ entry, error }) =>
      error === null ? [] : [[...StoredEntry.parse(entry).cells, error]],
    )
  })
}
