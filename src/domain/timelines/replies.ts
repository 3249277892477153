import { type SQL, sql } from 'drizzle-orm'
import { BoundedSelection } from '../../db/selection'
import type { StatusId } from '../../lib/ids'
import { candidateLimit, scanStatuses } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

interface AscendingPage {
  /** Exclusive lower bound. */
  readonly minId: number
  readonly limit: number
}

/** A page of replies to a status: by its author or by others, above an id. */
export interface RepliesPage extends AscendingPage {
  readonly to: StatusId
  readonly by: 'author' | 'others'
}

/**
 * The public and unlisted replies to a status that `viewer` may see, oldest first, as rows (id, cursor); the
 * cursor falls with age. Local-only replies are excluded.
 */
export function repliesSelection(viewer: ViewerRef, { to, by, ...page }: RepliesPage): BoundedSelection {
  const author = sql`(select parent.account_id from statuses parent where parent.id = ${to})`
  return openStatuses(viewer, page, {
    among: sql`s.in_reply_to_id = ${to}`,
    shown: sql`s.account_id ${by === 'author' ? sql`=` : sql`<>`} ${author}`,
  })
}

/** A page of a conversation, which its first status names. */
export interface ContextPage extends AscendingPage {
  readonly root: StatusId
}

/** As `repliesSelection`: the statuses of a whole conversation but its first. */
export function contextSelection(viewer: ViewerRef, { root, ...page }: ContextPage): BoundedSelection {
  // The second condition is that of the index.
  const among = sql`s.conversation_id = ${root} and s.conversation_id <> s.id`
  return openStatuses(viewer, page, { among, shown: sql`1` })
}

function openStatuses(
  viewer: ViewerRef,
  page: AscendingPage,
  { among, shown }: { readonly among: SQL; readonly shown: SQL },
): BoundedSelection {
  const found = scanStatuses(page, {
    most: candidateLimit({ each: 2, limit: page.limit, of: 'people', scan: 450 }),
    where: among,
    shown: sql`${shown} and s.visibility in ('public', 'unlisted') and s.local_only = 0 and ${visibleTo(viewer)}`,
  })
  return new BoundedSelection(
    sql`select id, -cursor as cursor, is_end from (${found.rows})`,
    sql`select id, -cursor as cursor from (${found.page})`,
  )
}
