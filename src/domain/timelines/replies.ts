import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { StatusId } from '../../lib/ids'
import { visibleTo } from '../policy/visibility'
import type { ViewerRef } from '../viewer'

/** Which answers to a status: its author's own or those of all others, above an id. */
export interface RepliesPage {
  readonly to: StatusId
  readonly by: 'author' | 'others'
  readonly minId: number
  readonly limit: number
}

/**
 * The open answers to a status as far as `viewer` may see them, oldest first, as rows (id, cursor); the cursor
 * falls with age. Those that never leave this server are not among them.
 */
export function repliesSelection(viewer: ViewerRef, { to, by, minId, limit }: RepliesPage): SQL {
  const author = sql`(select parent.account_id from statuses parent where parent.id = ${to})`
  return sql`select s.id as id, -s.id as cursor from statuses s
    where s.in_reply_to_id = ${to} and s.id > ${minId}
      and s.account_id ${by === 'author' ? sql`=` : sql`<>`} ${author}
      and s.visibility in ('public', 'unlisted') and s.local_only = 0 and ${visibleTo(viewer)}
    order by s.id ${limitTo(limit)}`
}
