import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { removedAuthorId } from '../../contract/ids'
import { combineQueries, first, limitTo, map, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Quoter, quotesBehind } from './quotes/find-quotes'

/** Accounts read per interaction kind, and servers returned. */
const maxPerKind = 1_000
const maxServers = 500

/**
 * Remote accounts involved with the status `id`, one per inbox: mentioned, replied to, or having favourited,
 * reacted to, reblogged, replied to or quoted it. Their servers may keep a copy. The parent's author counts only
 * for public and unlisted statuses, since a private reply is not delivered to them. One statement.
 */
export function affectedRemoteAccounts(ctx: Ctx, id: StatusId): Query<readonly AccountId[]> {
  const found = rows(ctx.db.select({ id: sql<AccountId>`id`.as('id') }).from(sql`(${affected(id)}) as found`))
  return map(found, (all) => all.map((row) => row.id))
}

/** Facts for the removal of a status. */
export interface RemovalFacts {
  /** Whether more rows refer to the status than one batch deletes: a job deletes most of them. */
  readonly inParts: boolean
  /** As `affectedRemoteAccounts` returns them. Empty with `inParts`: the job looks for them. */
  readonly concerned: readonly AccountId[]
}

/** Facts for the removal of the status `id`: one statement, whose rows are bounded by those that one batch may delete. */
export function removalFacts(ctx: Ctx, id: StatusId): Query<RemovalFacts> {
  const found = ctx.db
    .select({
      isMany: sql<number>`is_many`.as('is_many'),
      concerned: sql<string>`case when is_many then '[]'
        else (select json_group_array(id) from (${affected(id)})) end`.as('concerned'),
    })
    // The limit keeps SQLite from counting again for each use.
    .from(sql`(select ${hasManyChildren(sql`${id}`)} as is_many limit 1) as found`)
  return map(first(found), (row) => ({
    inParts: row?.isMany === 1,
    concerned: Ids.parse(JSON.parse(row?.concerned ?? '[]')),
  }))
}

const Ids = z.array(z.number())

function affected(id: StatusId): SQL {
  const kinds = [
    sql`select account_id as id from status_mentions where status_id = ${id}`,
    sql`select account_id as id from favourites where status_id = ${id}`,
    sql`select account_id as id from emoji_reactions where status_id = ${id}`,
    sql`select account_id as id from statuses where reblog_of_id = ${id}`,
    sql`select account_id as id from statuses where in_reply_to_id = ${id}`,
    sql`select account_id as id from quotes where quoted_status_id = ${id}`,
    sql`select in_reply_to_account_id as id from statuses where id = ${id} and visibility in ('public', 'unlisted')`,
  ].map((kind) => sql`select id from (${kind} ${limitTo(maxPerKind)})`)
  return sql`select min(r.account_id) as id
    from (select id from (${eitherOf(kinds.slice(0, 3))}) union select id from (${eitherOf(kinds.slice(3))})) picked
      cross join remote_actors r on r.account_id = picked.id
    group by coalesce(r.shared_inbox, r.inbox) ${limitTo(maxServers)}`
}

/** Remote accounts that may see the status `id` because it or an earlier version mentions them. One statement. */
export function mentionedRemoteAccounts(ctx: Ctx, id: StatusId): Query<readonly AccountId[]> {
  const found = rows(
    ctx.db
      .select({ id: sql<AccountId>`a.id`.as('id') })
      .from(sql`status_mentions m cross join accounts a on a.id = m.account_id`)
      .where(sql`m.status_id = ${id} and a.domain is not null`),
  )
  return map(found, (all) => all.map((row) => row.id))
}

/** D1 allows at most five terms in a compound select. */
function eitherOf(selections: readonly SQL[]): SQL {
  return sql.join([...selections], sql` union `)
}

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
function hasManyChildren(id: SQL): SQL<number> {
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

/** Rebloggers, and quotes, that the request of an edit notifies, at some eleven rows each. */
const notifiedByRequest = 50

/** The last reblogger and the last quoting status of a part. */
export interface EditPosition {
  readonly accountId: AccountId
  readonly quoteId: StatusId
}

/** The next local accounts that an edit concerns because they reblogged or quoted the status. */
export interface EditAudience {
  readonly rebloggers: readonly AccountId[]
  readonly quoters: readonly Quoter[]
  /** Position of those that follow; null where these are the last ones. */
  readonly next: EditPosition | null
}

/** The first accounts that an edit of the status `id` concerns. Two statements. */
export function editAudience(ctx: Ctx, id: SQL<StatusId>): Query<EditAudience> {
  return editAudienceBehind(ctx, id, { after: { accountId: 0, quoteId: 0 }, count: notifiedByRequest })
}

/** The next accounts that an edit of the status `id` concerns. Two statements. */
export function editAudienceBehind(
  ctx: Ctx,
  id: SQL<StatusId>,
  { after, count }: { readonly after: EditPosition; readonly count: number },
): Query<EditAudience> {
  const found = combineQueries({
    rebloggers: localRebloggers(ctx, id, { after: after.accountId, count }),
    quotes: quotesBehind(ctx, id, { after: after.quoteId, count }),
  })
  return map(found, ({ rebloggers, quotes }) => ({
    rebloggers,
    quoters: quotes.filter(({ isLocal }) => isLocal === 1),
    next:
      rebloggers.length < count && quotes.length < count
        ? null
        : {
            accountId: rebloggers.at(-1) ?? after.accountId,
            quoteId: quotes.at(-1)?.statusId ?? after.quoteId,
          },
  }))
}

/** Local accounts that reblogged the status, by their ids. One statement. */
function localRebloggers(
  ctx: Ctx,
  id: SQL<StatusId>,
  { after, count }: { readonly after: AccountId; readonly count: number },
): Query<readonly AccountId[]> {
  const { accountId, reblogOfId, local } = statuses
  const found = rows(
    ctx.db
      .select({ id: accountId })
      .from(statuses)
      .where(
        sql`${reblogOfId} = ${id} and ${local} = 1 and ${accountId} > ${after} order by ${accountId} ${limitTo(count)}`,
      ),
  )
  return map(found, (all) => all.map((row) => row.id))
}

/** A status that was edited, by its author. */
export interface EditedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
}

/** The status, as long as it is the version edited at this time. One statement. */
export function editedStatus(ctx: Ctx, id: StatusId, editedAt: Date): Query<EditedStatus | null> {
  return first(
    ctx.db
      .select({ id: statuses.id, accountId: statuses.accountId })
      .from(statuses)
      .where(and(eq(statuses.id, id), eq(statuses.editedAt, editedAt))),
  )
}
