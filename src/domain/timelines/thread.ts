import { type SQL, sql } from 'drizzle-orm'
import type { StatusId } from '../../lib/ids'
import { shownUnasked } from '../policy/hiding'
import type { ViewerRef } from '../viewer'

/** How far a thread is followed: how many statuses up, how many down, and how deep down. As Mastodon has it. */
const reaches = {
  ancestors: { strangers: 40, members: 4_096 },
  descendants: { strangers: 60, members: 4_096 },
  depth: { strangers: 20, members: 4_096 },
} as const

export interface WantedThread {
  readonly id: StatusId
  readonly now: Date
  /** Follows it for members no further than for strangers: a page shows no thousands. */
  readonly isShort?: boolean
}

/** Who asks is known to the database alone: the token may be one of an application without a person. */
function reach(
  viewer: ViewerRef,
  { isShort = false }: WantedThread,
  { strangers, members }: (typeof reaches)[keyof typeof reaches],
): SQL {
  return viewer.signedIn && !isShort
    ? sql`iif(${viewer.id} is null, ${strangers}, ${members})`
    : sql`${strangers}`
}

/**
 * The thread around the status `id` as rows (id, cursor): ancestors above 0, the oldest highest; the status
 * itself at 0; descendants below 0 in the order of the thread, each right before what answers it, siblings by
 * age. Statuses by people the viewer hides are left out; the reader drops what the viewer may not see.
 */
export function threadSelection(viewer: ViewerRef, wanted: WantedThread): SQL {
  const { id, now } = wanted
  // The answers are taken deepest first, oldest sibling first: that walks the tree in the order it is read.
  return sql`with recursive
    up(id, parent, height) as (select id, in_reply_to_id, 0 from statuses where id = ${id}
      union all
      select above.id, above.in_reply_to_id, up.height + 1 from up cross join statuses above
        where above.id = up.parent and up.height < ${reach(viewer, wanted, reaches.ancestors)}),
    down(id, depth) as (select ${id}, 0
      union all
      select below.id, down.depth + 1 from down cross join statuses below
        where below.in_reply_to_id = down.id and down.depth < ${reach(viewer, wanted, reaches.depth)}
      order by 2 desc, 1 asc limit 1 + ${reach(viewer, wanted, reaches.descendants)}),
    thread(id, place) as (select id, height from up
      union all
      select id, place from (select id, 1 - row_number() over () as place from down) where place < 0)
    select s.id as id, thread.place as cursor from thread cross join statuses s
    where s.id = thread.id and (thread.place = 0 or ${shownUnasked(viewer, now)})`
}
