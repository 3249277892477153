import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, map, type Query, rows } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { hasManyChildren } from './find-children'

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
