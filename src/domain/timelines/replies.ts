import { sql } from 'drizzle-orm'
import { BoundedSelection } from '../../db/selection'
import type { StatusId } from '../../lib/ids'
import { candidateLimit, scanStatuses } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** A page of replies to a status: by its author or by others, above an id. */
export interface RepliesPage {
  readonly to: StatusId
  readonly by: 'author' | 'others'
  readonly minId: number
  readonly limit: number
}

/**
 * The public and unlisted replies to a status that `viewer` may see, oldest first, as rows (id, cursor); the
 * cursor falls with age. Local-only replies are excluded.
 */
export function repliesSelection(viewer: ViewerRef, { to, by, minId, limit }: RepliesPage): BoundedSelection {
  const author = sql`(select parent.account_id from statuses parent where parent.id = ${to})`
  const found = scanStatuses(
    { minId, limit },
    {
      most: candidateLimit({ each: 2, limit, of: 'people', scan: 450 }),
      where: sql`s.in_reply_to_id = ${to}`,
      shown: sql`s.account_id ${by === 'author' ? sql`=` : sql`<>`} ${author}
        and s.visibility in ('public', 'unlisted') and s.local_only = 0 and ${visibleTo(viewer)}`,
    },
  )
  return new BoundedSelection(
    sql`select id, -cursor as cursor, is_end from (${found.rows})`,
    sql`select id, -cursor as cursor from (${found.page})`,
  )
}
