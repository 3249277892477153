import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { searchStale, searchWalks } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { documentOf, type IndexableStatus } from './document'
import { currentWalk, nextStale, type StaleBatch, type Walk, walkedStatuses } from './find-stale'
import { insertDocuments } from './insert-documents'

const staleAtOnce = 100
const walkedPerRun = 200
/** Keeps a statement's parameters below a megabyte. */
const documentsPerStatement = 25

/** Condition: statuses wait to be indexed again. */
export const hasStaleStatuses = () =>
  sql`(exists (select 1 from search_stale) or exists (select 1 from search_walks))`

/**
 * Cron: updates the next part of the status index from the rows that triggers of the migration noted: edits, interactions of local
 * users, and authors who allowed search or no longer do. New statuses are indexed as they are stored.
 */
export async function indexStatuses(ctx: Ctx): Promise<void> {
  const { stale, walk } = await execute(
    ctx.db,
    combineQueries({ stale: nextStale(ctx, staleAtOnce), walk: currentWalk(ctx) }),
  )
  const changes = new Changes()
  reindexStale(ctx, changes, stale)
  if (walk !== null) await continueWalk(ctx, changes, walk)
  await commit(ctx, changes)
}

function reindexStale(ctx: Ctx, changes: Changes, { rows, statuses }: StaleBatch): void {
  if (rows.length === 0) return
  reindex(ctx, changes, statuses)
  changes.add(
    ctx.db.delete(searchStale).where(sql`(status_id, turn) in (
      select item.value ->> 'statusId', item.value ->> 'turn' from ${jsonRows(rows)})`),
  )
}

/** The next part of a walk. A walk restarted meanwhile continues from its new start. */
async function continueWalk(ctx: Ctx, changes: Changes, walk: Walk): Promise<void> {
  const statuses = await execute(ctx.db, walkedStatuses(ctx, walk, walkedPerRun))
  reindex(ctx, changes, statuses)
  const isWalk = and(eq(searchWalks.accountId, walk.accountId), eq(searchWalks.beforeId, walk.beforeId))
  const last = statuses.at(-1)
  changes.add(
    last === undefined || statuses.length < walkedPerRun
      ? ctx.db.delete(searchWalks).where(isWalk)
      : ctx.db.update(searchWalks).set({ beforeId: last.id }).where(isWalk),
  )
}

function reindex(ctx: Ctx, changes: Changes, statuses: readonly IndexableStatus[]): void {
  if (statuses.length === 0) return
  const documents = statuses.map(documentOf)
  changes.add(
    ctx.db.run(
      sql`delete from status_search where rowid in (select item.value from ${jsonRows(documents.map(({ id }) => id))})`,
    ),
  )
  for (let at = 0; at < documents.length; at += documentsPerStatement)
    changes.add(insertDocuments(ctx, documents.slice(at, at + documentsPerStatement)))
}
