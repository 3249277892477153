import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query, rows, together } from '../../db/query'
import { polls, searchStale, searchWalks, statuses } from '../../db/schema'
import { limitTo, namedOptional } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import type { Searched } from './document'

export type StaleRow = typeof searchStale.$inferSelect

/** What is to be indexed anew, and what it says now; one that is gone says nothing. */
export interface Stale {
  readonly rows: readonly StaleRow[]
  readonly statuses: readonly Searched[]
}

/** The next of what has to be indexed anew. Two statements. */
export function nextStale(ctx: Ctx, count: number): Query<Stale> {
  const selection = sql`select status_id as id from search_stale order by status_id ${limitTo(count)}`
  return together({
    rows: rows(ctx.db.select().from(searchStale).orderBy(searchStale.statusId).limit(count)),
    statuses: searched(ctx, selection),
  })
}

export type Walk = typeof searchWalks.$inferSelect

/** What is gone through at present: authors who changed their mind before everything there was. */
export function currentWalk(ctx: Ctx): Query<Walk | null> {
  return first(ctx.db.select().from(searchWalks).orderBy(desc(searchWalks.accountId)).limit(1))
}

/** The next statuses of a walk, newest first. */
export function walkedStatuses(ctx: Ctx, { accountId, beforeId }: Walk, count: number): Query<Searched[]> {
  const whose = accountId === 0 ? sql`1` : sql`account_id = ${accountId}`
  return searched(
    ctx,
    sql`select id from statuses where id < ${beforeId} and ${whose} order by id desc ${limitTo(count)}`,
  )
}

/** What the statuses of a selection (id) say, in its order. Reblogs say nothing. */
function searched(ctx: Ctx, selection: SQL): Query<Searched[]> {
  const { id, accountId, content, spoilerText, attachments, tags, language, sensitive } = statuses
  const found = rows(
    ctx.db
      .select({
        ...{ id, accountId, content, spoilerText, attachments, tags, language, sensitive },
        ...namedOptional('poll', { options: polls.options }),
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
      ...{ pollOptions: options, isReply: isReply === 1, isQuote: isQuote === 1 },
    })),
  )
}
