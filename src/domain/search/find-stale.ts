import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query, rows } from '../../db/query'
import { polls, searchStale, searchWalks, statuses } from '../../db/schema'
import { limitTo, optionalPrefixedColumns } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import type { IndexableStatus } from './document'

export type StaleRow = typeof searchStale.$inferSelect

/** Rows to reindex, with their current text; a deleted status has none. */
export interface StaleBatch {
  readonly rows: readonly StaleRow[]
  readonly statuses: readonly IndexableStatus[]
}

/** The next rows to reindex. Two statements. */
export function nextStale(ctx: Ctx, count: number): Query<StaleBatch> {
  const selection = sql`select status_id as id from search_stale order by status_id ${limitTo(count)}`
  return combineQueries({
    rows: rows(ctx.db.select().from(searchStale).orderBy(searchStale.statusId).limit(count)),
    statuses: loadIndexable(ctx, selection),
  })
}

export type Walk = typeof searchWalks.$inferSelect

/** The current walk: authors who changed `indexable` come before the walk of every status. */
export function currentWalk(ctx: Ctx): Query<Walk | null> {
  return first(ctx.db.select().from(searchWalks).orderBy(desc(searchWalks.accountId)).limit(1))
}

/** The next statuses of a walk, newest first. */
export function walkedStatuses(
  ctx: Ctx,
  { accountId, beforeId }: Walk,
  count: number,
): Query<IndexableStatus[]> {
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
