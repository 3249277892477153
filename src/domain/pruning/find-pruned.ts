import { type SQL, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { dependants, isKept } from './find-kept-statuses'

// Selections about `part`, the ids of the statuses that a batch deletes.

/** A row where the part is no longer as it was read. */
export function changedIn(part: SQL, count: number): SQL {
  const outside = dependants.map(
    ({ table, id, names }) =>
      sql`exists (select 1 from ${sql.raw(`${table} d where d.${names} = s.id and d.${id}`)} not in (${part}))`,
  )
  return sql`select 1 from statuses s where s.id in (${part}) and (${isKept('s')} or ${sql.join(outside, sql` or `)})
    union all select 1 where (select count(*) from statuses where id in (${part})) <> ${count}`
}

/** Number of replies and quotes in the part by the status they name, as a table `gone(id, replies, quotes)`. */
export function countedBy(part: SQL): SQL {
  return sql`(select id, sum(kind = 1) as replies, sum(kind = 2) as quotes from (
    select s.in_reply_to_id as id, 1 as kind from statuses s where s.id in (${part}) and s.in_reply_to_id is not null
    union all select q.quoted_status_id, 2 from quotes q where q.status_id in (${part}) and q.state = 'accepted'
  ) group by id) gone`
}

/** Number of statuses in the part that the counts of their servers include, by server. Two rows read for each. */
export function countedServers(ctx: Ctx, ids: readonly StatusId[]): Query<readonly ServerCount[]> {
  const found = ctx.db
    .select({ domain: sql<string>`a.domain`.as('domain'), statuses: sql<number>`count(*)`.as('statuses') })
    .from(sql`json_each(${JSON.stringify(ids)}) item cross join statuses s on s.id = item.value
      cross join accounts a on a.id = s.account_id`)
    .where(sql`s.local = 0 and a.domain is not null
      and s.id < (select counted_before from status_counting where id = 1)`)
    .groupBy(sql`a.domain`)
  return rows(found)
}

export interface ServerCount {
  readonly domain: string
  readonly statuses: number
}

/** Number of statuses in the part by author and hashtag, as a table `gone(account, tag, less)`. */
export function tagsCounted(part: SQL): SQL {
  return sql`(select s.account_id as account, used.tag_id as tag, count(*) as less
    from (${tagsOf(part)}) used cross join statuses s on s.id = used.status_id group by 1, 2) gone`
}

/** Rows (tag_id, status_id) of `status_tags`, by their key: the table has no index by status. */
export function tagsOf(part: SQL): SQL {
  return sql`select t.id as tag_id, s.id as status_id from statuses s cross join json_each(s.tags) written
    cross join tags t on t.name = written.value ->> 'name' where s.id in (${part}) and s.tags <> '[]'`
}
