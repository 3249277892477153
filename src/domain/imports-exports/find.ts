import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, map, type Query, rows } from '../../db/query'
import { accounts, importEntries, imports } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isActiveAccount } from '../policy/account-visibility'
import { Entry } from './entries'

export type Import = typeof imports.$inferSelect

/** An import under way, with its owner. Null if it waits or is finished, or the owner may not act any more. */
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
      .where(sql`${imports.id} = ${id} and ${imports.finishedAt} is null and ${imports.state} <> 'waiting'
        and ${mayOwnerAct}`),
  )
}

/** An entry with its key. */
export interface FoundEntry {
  readonly key: string
  readonly entry: Entry
}

/** The next entries to be added. */
export function openEntries(ctx: Ctx, importId: number, limit: number): Query<readonly FoundEntry[]> {
  const found = ctx.db
    .select({ key: importEntries.key, entry: importEntries.entry })
    .from(importEntries)
    .where(sql`import_id = ${importId} and error is null and outcome is null`)
    .limit(limit)
  return map(rows(found), readEntries)
}

/** The next entries that changed something, which undoing an import reverts. */
export function undoableEntries(
  ctx: Ctx,
  importId: number,
  limit: number,
): Query<readonly (FoundEntry & { readonly outcome: 'added' | 'removed' })[]> {
  const { key, entry, outcome } = importEntries
  const found = ctx.db
    .select({ key, entry, outcome: sql<'added' | 'removed'>`${outcome}` })
    .from(importEntries)
    // Verbatim as in the index, so that it is used.
    .where(sql`import_id = ${importId} and outcome in ('added', 'removed')`)
    .limit(limit)
  return map(rows(found), readEntries)
}

function readEntries<R extends { readonly entry: unknown }>(list: readonly R[]) {
  return list.flatMap((row) => {
    const { entry } = StoredEntry.parse(row.entry)
    return entry === null ? [] : [{ ...row, entry }]
  })
}

/** An import on the page of its owner. */
export interface ListedImport extends Import {
  /** Whether it changed something that can be undone. */
  readonly undoable: boolean
}

/** The latest imports of an account, without those that it discarded. */
export function importsOf(ctx: Ctx, owner: AccountId): Query<readonly ListedImport[]> {
  const undoable = sql<boolean>`exists (select 1 from import_entries e
    where e.import_id = ${imports.id} and e.outcome in ('added', 'removed'))`
  return rows(
    ctx.db
      .select({ ...getTableColumns(imports), undoable: undoable.mapWith(Boolean).as('undoable') })
      .from(imports)
      .where(sql`${imports.accountId} = ${owner} and ${imports.state} <> 'discarded'`)
      .orderBy(desc(imports.id))
      .limit(10),
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
