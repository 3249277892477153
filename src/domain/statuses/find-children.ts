import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { removedAuthorId, type StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

// Rows that refer to a status: foreign keys delete them with it, however many there are.

/** Tables with a column `status_id` and ids of their own. */
export const childTables = [
  'favourites',
  'favourite_requests',
  'notifications',
  'bookmarks',
  'emoji_reactions',
  'filter_statuses',
] as const

/** Number of rows that refer to the status `id`, an expression; of each kind at most `most` are counted. */
export function countChildren(id: SQL, most: number): SQL<number> {
  const kinds = children(id).map((kind) => sql`(select count(*) from (select 1 ${kind} ${limitTo(most)}))`)
  return sql<number>`(${sql.join(kinds, sql` + `)})`
}

const children = (id: SQL) => [
  ...childTables.map((name) => sql`from ${sql.raw(name)} where status_id = ${id}`),
  sql`from status_mentions where status_id = ${id}`,
  sql`from statuses reblog where reblog.reblog_of_id = ${id}`,
  sql`from statuses answer where answer.in_reply_to_id = ${id}`,
  sql`from quotes where quoted_status_id = ${id}`,
  sql`from polls cross join poll_votes v on v.poll_id = polls.id where polls.status_id = ${id}`,
]

/** Columns of the next `most` reblogs `s` of the status `id`, in the order of their authors. */
export function someReblogs(id: StatusId, most: number) {
  const some = sql`select r.id, r.account_id, r.local, r.local_only from statuses r
    where r.reblog_of_id = ${id} order by r.account_id ${limitTo(most)}`
  return (columns: string, condition = sql`1`): SQL =>
    sql`select ${sql.raw(columns)} from (${some}) s where ${condition}`
}

/** Ids of the next `most` replies to the status `id`. */
export function someReplies(id: StatusId, most: number): SQL {
  return sql`select answer.id from statuses answer where answer.in_reply_to_id = ${id} ${limitTo(most)}`
}

/** Rows that may go with a status in one batch: moderators delete twenty statuses in one, some twelve rows each. */
const childrenInOneBatch = 150

/** Condition: so many rows refer to the status `id`, an expression, that it is removed in parts. */
export function hasManyChildren(id: SQL): SQL<number> {
  const all = children(id).map((kind) => sql`select 1 ${kind}`)
  // D1 allows at most five terms in a compound select. It ends at the limit: no further kind is read.
  const parts = [all.slice(0, 5), all.slice(5, 10), all.slice(10)].map(
    (kinds) => sql`select 1 from (${sql.join(kinds, sql` union all `)})`,
  )
  return sql<number>`((select count(*) from (${sql.join(parts, sql` union all `)}
    ${limitTo(childrenInOneBatch + 1)})) > ${sql.raw(String(childrenInOneBatch))})`
}

/** Whether the remote status with a URI is removed in parts. One statement. */
export function isRemovedInPartsAt(ctx: Ctx, uri: string): Query<boolean> {
  const found = ctx.db
    .select({ isMany: hasManyChildren(sql`s.id`).as('is_many') })
    .from(sql`statuses s`)
    .where(sql`s.uri = ${uri}`)
  return map(first(found), (row) => row?.isMany === 1)
}

/** Condition: the status `id` was removed, and a job deletes it. */
export function isBeingRemoved(id: StatusId): SQL {
  return sql`exists (select 1 from statuses where id = ${id} and account_id = ${removedAuthorId})`
}

/** Select of the statuses that were removed and that a job deletes, the oldest first. */
export const removedStatuses = sql`select id from ${statuses}
  where ${statuses.accountId} = ${removedAuthorId} order by id`
