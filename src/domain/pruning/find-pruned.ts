import { type SQL, sql } from 'drizzle-orm'
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

/** Number of statuses in the part by the status in `column`, as a table `gone(id, less)`. */
export function countedBy(part: SQL, column: 'in_reply_to_id' | 'reblog_of_id'): SQL {
  const named = sql.raw(`s.${column}`)
  return sql`(select ${named} as id, count(*) as less from statuses s
    where ${named} is not null and s.id in (${part}) group by 1) gone`
}

/** Number of quotes in the part by the quoted status, as a table `gone(id, less)`. */
export function quotesCounted(part: SQL): SQL {
  return sql`(select q.quoted_status_id as id, count(*) as less from quotes q
    where q.status_id in (${part}) and q.state = 'accepted' group by 1) gone`
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
