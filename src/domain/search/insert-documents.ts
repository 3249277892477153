import { sql } from 'drizzle-orm'
import { preparedWrite } from '../../db/prepared'
import { jsonTable } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
import { documentOf, type IndexableStatus, type SearchDocument } from './document'
import { publicTrait, readerPrefix } from './traits'

/**
 * Statement that indexes a status, for the batch that stores it with its mentions. It writes one row if any user may
 * find the status by search, none otherwise.
 */
export function indexStatus(ctx: Ctx, status: IndexableStatus) {
  return insertDocuments(ctx, [documentOf(status)])
}

/**
 * Statement that indexes documents not yet in the index: public ones that are searchable by all, and those in the
 * library of local users. A library is their own statuses, statuses that mention them, and those they favourited,
 * bookmarked, reblogged or voted in.
 */
export function insertDocuments(ctx: Ctx, documents: readonly SearchDocument[]) {
  return insert(ctx.db, { documents: JSON.stringify(documents) })
}

const insert = preparedWrite(
  ['documents'],
  (_db, { documents }) => sql`insert into status_search (rowid, text, traits)
    select id, text, traits || coalesce(' ' || readers, '') || case when open then ${sql.raw(`' ${publicTrait}'`)} else '' end
    from (select s.id as id, item.value ->> 'text' as text, item.value ->> 'traits' as traits,
      s.visibility = 'public' and exists (
        select 1 from accounts a where a.id = s.account_id and a.indexable = 1) as open,
      (select group_concat(distinct ${sql.raw(`'${readerPrefix}'`)} || u.account_id)
        from (${sql.raw(concerned)}) picked cross join users u on u.account_id = picked.account_id) as readers
      from ${jsonTable(documents)} cross join statuses s where s.id = item.value ->> 'id' and s.reblog_of_id is null)
    where open or readers is not null`,
)

// D1 allows five terms in a compound select.
const concerned = `select s.account_id
  union all select account_id from status_mentions where status_id = s.id
  union all select account_id from (select account_id from favourites where status_id = s.id
    union all select account_id from bookmarks where status_id = s.id)
  union all select account_id from statuses where reblog_of_id = s.id
  union all select account_id from poll_votes where poll_id = s.poll_id`
