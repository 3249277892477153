import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { StatusId } from '../../lib/ids'

/** Reblogs of one status up to which they are sorted to find the latest. */
const mostSorted = 100

/** Column of a new reblog of the status `original`: it is one of very many. */
export function isReblogOfMany(original: StatusId): SQL<boolean> {
  return sql<boolean>`coalesce((select reblogs_count from statuses where id = ${original}) >= ${mostSorted}, 0)`
}

/**
 * The latest `most` reblogs of the status `original`, as rows (id), the latest first. An index by time would be written for
 * each reblog: it has those that came to very many, and once it has enough of them, the others are not read.
 */
export function latestReblogs(original: StatusId, most: number): SQL {
  const enough = mostSorted + most
  const isMany = sql`(select reblogs_count from statuses where id = ${original}) > ${enough}`
  return sql`select id from (
      select id from (select r.id as id from statuses r where r.reblog_of_id = ${original} and r.reblog_of_many = 1
        order by r.id desc ${limitTo(most)})
      union select id from (select r.id as id from statuses r where r.reblog_of_id = ${original}
        order by r.account_id limit (select iif(${isMany}, 0, ${enough}))))
    order by id desc ${limitTo(most)}`
}
