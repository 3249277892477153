import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query, rows } from '../../db/query'
import { statuses, type Visibility } from '../../db/schema/statuses'
import { limitTo, oneRow } from '../../db/sql'
import type { Attachment } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** Status of a deleted account, with what other rows count because of it. */
export interface PurgeableStatus {
  readonly id: StatusId
  readonly local: boolean
  readonly localOnly: boolean
  readonly visibility: Visibility
  readonly reblogOfId: StatusId | null
  readonly inReplyToId: StatusId | null
  /** Files uploaded here. */
  readonly uploads: readonly Attachment[]
  readonly hasTags: boolean
  readonly isQuote: boolean
}

/** Counted reblog of such a status. */
export interface PurgeableReblog {
  readonly accountId: AccountId
  readonly local: boolean
}

export interface PurgeableFacts {
  readonly part: readonly PurgeableStatus[]
  readonly reblogs: readonly PurgeableReblog[]
  /** A stream is connected that may show what is deleted. */
  readonly hasSubscribers: boolean
}

/** First `count` statuses of an account and their reblogs: read once, for all statements of a part. */
export function purgeableFacts(ctx: Ctx, account: AccountId, count: number): Query<PurgeableFacts> {
  const { id, local, localOnly, visibility, reblogOfId, inReplyToId, attachments } = statuses
  const some = sql`select s.id from statuses s where s.account_id = ${account} order by s.id ${limitTo(count)}`
  const part = rows(
    ctx.db
      .select({
        id,
        local,
        localOnly,
        visibility,
        reblogOfId,
        inReplyToId,
        attachments,
        hasTags: sql<boolean>`${statuses.tags} <> '[]'`.mapWith(Boolean).as('has_tags'),
        isQuote: sql<boolean>`exists (select 1 from quotes q where q.status_id = ${id})`
          .mapWith(Boolean)
          .as('is_quote'),
      })
      .from(statuses)
      .where(sql`account_id = ${account}`)
      .orderBy(sql`id ${limitTo(count)}`),
  )
  const reblogs = rows(
    ctx.db
      .select({
        accountId: sql<AccountId>`r.account_id`.as('account_id'),
        local: sql<boolean>`r.local`.mapWith(Boolean).as('local'),
      })
      .from(
        sql`(${some}) original cross join statuses r on r.reblog_of_id = original.id and r.local_only = 0`,
      ),
  )
  const subscribed = sql<number>`exists (select 1 from presences) or exists (select 1 from heard_topics)`
  const hasSubscribers = first(ctx.db.select({ found: subscribed.as('found') }).from(oneRow))
  return map(combineQueries({ part, reblogs, hasSubscribers }), (found) => ({
    part: found.part.map(({ attachments: files, ...status }) => ({
      ...status,
      uploads: status.local ? files : [],
    })),
    reblogs: found.reblogs,
    hasSubscribers: found.hasSubscribers?.found === 1,
  }))
}

/** Statuses that `part` quotes with consent, as far as quotes are counted. */
export function quotedBy(part: SQL): SQL {
  return sql`select q.quoted_status_id from quotes q cross join statuses s on s.id = q.status_id
    where q.status_id in (${part}) and q.state = 'accepted' and (s.local_only = 0 or exists (
      select 1 from statuses quoted where quoted.id = q.quoted_status_id and quoted.local_only = 1))`
}

/** Rows of `status_tags` for `part`, by their key: the table has no index by status. */
export function tagRowsOf(part: SQL): SQL {
  return sql`select t.id, s.id from statuses s cross join json_each(s.tags) written
    cross join tags t on t.name = written.value ->> 'name' where s.id in (${part})`
}

/** Condition: all of `part`, so many ids, are still there. */
export function areAllThere(part: SQL, count: number): SQL {
  return sql`(select count(*) from statuses where id in (${part})) = ${count}`
}
