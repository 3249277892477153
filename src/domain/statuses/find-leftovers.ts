import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'

/** The first `count` statuses of an account, as ids. */
export function someStatusesOf(account: AccountId, count: number): SQL {
  return sql`select id from statuses where account_id = ${account} order by id ${limitTo(count)}`
}

/** What reblogs among `part` share. */
export function sharedBy(part: SQL): SQL {
  return sql`select reblog_of_id from statuses where id in (${part}) and visibility <> 'direct'`
}

/** What replies among `part` answer, as far as replies are counted. */
export function answeredBy(part: SQL): SQL {
  return sql`select in_reply_to_id from statuses where id in (${part}) and in_reply_to_id is not null
    and visibility in ('public', 'unlisted')`
}

/** The reblogs of `part`: rows (account_id, local). */
export function reblogsOf(part: SQL): SQL {
  return sql`select r.account_id, r.local from (${part}) original
    cross join statuses r on r.reblog_of_id = original.id`
}

/** The rows of `status_tags` that name `part`, by their key: they cannot be looked up by the status. */
export function tagRowsOf(part: SQL): SQL {
  return sql`select t.id, s.id from statuses s cross join json_each(s.tags) written
    cross join tags t on t.name = written.value ->> 'name' where s.id in (${part})`
}
