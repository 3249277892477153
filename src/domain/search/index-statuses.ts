import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import {
  combineQueries,
  execute,
  first,
  jsonRows,
  limitTo,
  map,
  oneRow,
  optionalPrefixedColumns,
  type Query,
  rows,
} from '../../db/query'
import { polls, searchStale, searchWalks, statuses } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission } from '../policy/permissions'
import { documentOf, type IndexableStatus, insertDocuments } from './document'

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

export type StaleRow = typeof searchStale.$inferSelect

/** Rows to reindex, with their current text; a deleted status has none. */
interface StaleBatch {
  readonly rows: readonly StaleRow[]
  readonly statuses: readonly IndexableStatus[]
}

/** The next rows to reindex. Two statements. */
function nextStale(ctx: Ctx, count: number): Query<StaleBatch> {
  const selection = sql`select status_id as id from search_stale order by status_id ${limitTo(count)}`
  return combineQueries({
    rows: rows(ctx.db.select().from(searchStale).orderBy(searchStale.statusId).limit(count)),
    statuses: loadIndexable(ctx, selection),
  })
}

type Walk = typeof searchWalks.$inferSelect

/** The current walk: authors who changed `indexable` come before the walk of every status. */
function currentWalk(ctx: Ctx): Query<Walk | null> {
  return first(ctx.db.select().from(searchWalks).orderBy(desc(searchWalks.accountId)).limit(1))
}

/** The next statuses of a walk, newest first. */
function walkedStatuses(ctx: Ctx, { accountId, beforeId }: Walk, count: number): Query<IndexableStatus[]> {
  const whose = accountId === 0 ? sql`1` : sql`account_id = ${accountId}`
  return loadIndexable(
    ctx,
    sql`select id from statuses where id < ${beforeId} and ${whose} order by id desc ${limitTo(count)}`,
  )
}

/** The indexable text of the statuses of a selection (id), in its order. Reblogs have none. */
function loadIndexable(ctx: Ctx, selection: SQL): Query<IndexableStatus[]> {
  const { id, accountId, content, spoilerText, attachments, tags, language, sensitive } = statuses
  const found = rows(
    ctx.db
      .select({
        id,
        accountId,
        content,
        spoilerText,
        attachments,
        tags,
        language,
        sensitive,
        ...optionalPrefixedColumns('poll', { options: polls.options }),
        isReply: sql<number>`${statuses.inReplyToId} is not null or ${statuses.inReplyToAccountId} is not null
          or ${statuses.inReplyToUri} is not null`.as('is_reply'),
        isQuote: sql<number>`exists (select 1 from quotes where quotes.status_id = ${statuses.id})`.as(
          'is_quote',
        ),
      })
      .from(sql`(${selection}) picked`)
      .crossJoin(statuses)
      .leftJoin(polls, eq(polls.id, statuses.pollId))
      .where(sql`${statuses.id} = picked.id`),
  )
  return map(found, (all) =>
    all.map(({ options, isReply, isQuote, ...status }) => ({
      ...status,
      pollOptions: options,
      isReply: isReply === 1,
      isQuote: isQuote === 1,
    })),
  )
}

/** Statuses that wait are counted up to here. */
const mostCounted = 200

/** State of the index of statuses. */
export interface IndexState {
  /** Statuses that changed since they were indexed, at most `mostCounted`. */
  readonly waiting: number
  /** Whether all statuses are being indexed, the newest first, and the id below which they wait. */
  readonly walkedDownTo: number | null
}

export function findIndexState(ctx: Ctx): Query<IndexState> {
  const waiting = sql<number>`(select count(*) from (select 1 from search_stale ${limitTo(mostCounted)}))`
  return map(
    combineQueries({
      counted: first(ctx.db.select({ waiting: waiting.as('waiting') }).from(oneRow)),
      walk: currentWalk(ctx),
    }),
    ({ counted, walk }) => ({ waiting: counted?.waiting ?? 0, walkedDownTo: walk?.beforeId ?? null }),
  )
}

/**
 * Indexes all statuses again, the newest first, by cron: some 200 a minute. One that runs already starts again. Needs
 * `viewDevops`.
 */
export async function restartIndex(ctx: Ctx, moderator: Moderator): Promise<void> {
  requirePermission(moderator, 'viewDevops')
  const walk = { accountId: 0, beforeId: Number.MAX_SAFE_INTEGER }
  const changes = new Changes().add(
    ctx.db
      .insert(searchWalks)
      .values(walk)
      .onConflictDoUpdate({ target: searchWalks.accountId, set: { beforeId: walk.beforeId } }),
  )
  const target = { type: 'search_index' as const, id: null, label: '' }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'rebuild', target }))
}
