import { desc, type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { Attachment } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'

/** First `count` statuses of an account, as ids. */
export function someStatusesOf(account: AccountId, count: number): SQL {
  return sql`select id from statuses where account_id = ${account} order by id ${limitTo(count)}`
}

/** Originals of the reblogs among `part`. */
export function sharedBy(part: SQL): SQL {
  return sql`select reblog_of_id from statuses where id in (${part}) and visibility <> 'direct'`
}

/** Parents of the replies among `part`, as far as replies are counted. */
export function answeredBy(part: SQL): SQL {
  return sql`select s.in_reply_to_id from statuses s where s.id in (${part}) and s.in_reply_to_id is not null
    and s.visibility in ('public', 'unlisted') and (s.local_only = 0 or exists (
      select 1 from statuses answered where answered.id = s.in_reply_to_id and answered.local_only = 1))`
}

/** Statuses that `part` quotes with consent, as far as quotes are counted. */
export function quotedBy(part: SQL): SQL {
  return sql`select q.quoted_status_id from quotes q cross join statuses s on s.id = q.status_id
    where q.status_id in (${part}) and q.state = 'accepted' and (s.local_only = 0 or exists (
      select 1 from statuses quoted where quoted.id = q.quoted_status_id and quoted.local_only = 1))`
}

/** Counted reblogs of `part`: rows (account_id, local). */
export function reblogsOf(part: SQL): SQL {
  return sql`select r.account_id, r.local from (${part}) original
    cross join statuses r on r.reblog_of_id = original.id where r.local_only = 0`
}

/** Rows of `status_tags` for `part`, by their key: the table has no index by status. */
export function tagRowsOf(part: SQL): SQL {
  return sql`select t.id, s.id from statuses s cross join json_each(s.tags) written
    cross join tags t on t.name = written.value ->> 'name' where s.id in (${part})`
}

/** Statuses among `part` that the instance counters include: rows (in_reply_to_id, visibility). */
export function countedHere(part: SQL): SQL {
  return sql`select in_reply_to_id, visibility from statuses where id in (${part}) and local = 1 and visibility <> 'direct'
    and local_only = 0`
}

/** Newest of `part`, if any stream is connected to receive the deletions. One statement. */
export function statusesToPublish(ctx: Ctx, part: SQL, count: number): Query<readonly StatusId[]> {
  const found = rows(
    ctx.db
      .select({ id: statuses.id })
      .from(statuses)
      .where(
        sql`(exists (select 1 from presences) or exists (select 1 from heard_topics))
          and ${statuses.id} in (${part})`,
      )
      .orderBy(desc(statuses.id))
      .limit(count),
  )
  return map(found, (all) => all.map(({ id }) => id))
}

/** Attachments uploaded here for `part`. One statement. */
export function uploadsOf(ctx: Ctx, part: SQL): Query<readonly Attachment[]> {
  const found = rows(
    ctx.db
      .select({ attachments: statuses.attachments })
      .from(statuses)
      .where(sql`${statuses.id} in (${part}) and ${statuses.local} = 1 and ${statuses.attachments} <> '[]'`),
  )
  return map(found, (all) => all.flatMap(({ attachments }) => attachments))
}
