import { type SQL, sql } from 'drizzle-orm'
import type { StatusId } from '../../lib/ids'
import type { ViewerRef } from '../core/viewer'
import { allowedInDiscovery } from '../policy/blocks-and-mutes'

/** How far a thread is followed: how many statuses up, how many down, and how deep down. As Mastodon has it. */
const threadLimits = {
  ancestors: { strangers: 40, members: 4_096 },
  descendants: { strangers: 60, members: 4_096 },
  depth: { strangers: 20, members: 4_096 },
} as const

export interface ThreadRequest {
  readonly id: StatusId
  readonly now: Date
  /** Follows it for members no further than for strangers: a page shows no thousands. */
  readonly isShort?: boolean
}

/** Who asks is known to the database alone: the token may be one of an application without a person. */
function reach(
  viewer: ViewerRef,
  { isShort = false }: ThreadRequest,
  { strangers, members }: (typeof threadLimits)[keyof typeof threadLimits],
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
export function threadSelection(viewer: ViewerRef, wanted: ThreadRequest): SQL {
  const { id, now } = wanted
  // The answers are taken deepest first, oldest sibling first: that walks the tree in the order it is read. From each
  // the walk goes to its first answer and to the next one beside it, and so reads no more than it shows.
  const answer = (to: SQL, after: SQL) => sql`(select min(a.id) from statuses a where a.in_reply_to_id = ${to}
    and a.id > ${after})`
  const thread = sql`thread(id, place) as materialized (select id, height from up
    union all
    select id, place from (select id, 1 - row_number() over () as place from down) where place < 0)`
  return sql`with recursive
    up(id, parent, height) as (select id, in_reply_to_id, 0 from statuses where id = ${id}
      union all
      select above.id, above.in_reply_to_id, up.height + 1 from up cross join statuses above
        where above.id = up.parent and up.height < ${reach(viewer, wanted, threadLimits.ancestors)}),
    down(id, depth, parent) as (select ${id}, 0, null
      union all
      select below.id, down.depth + 1, down.id from down cross join statuses below
        where below.id = ${answer(sql`down.id`, sql`0`)} and down.depth < ${reach(viewer, wanted, threadLimits.depth)}
      union all
      select beside.id, down.depth, down.parent from down cross join statuses beside
        where beside.id = ${answer(sql`down.parent`, sql`down.id`)}
      order by 2 desc, 1 asc limit 1 + ${reach(viewer, wanted, threadLimits.descendants)}),
    ${thread}
    select s.id as id, thread.place as cursor from thread cross join statuses s
    where s.id = thread.id and ${isWithinReach(viewer, wanted)} and (thread.place = 0 or ${allowedInDiscovery(viewer, now)})`
}

/** What is quoted is loaded as well: of threads full of quotes strangers are shown the nearest statuses only. */
const quotesInReach = 25
const nearest = { above: 20, below: 30 }

function isWithinReach(viewer: ViewerRef, { isShort = false }: ThreadRequest): SQL {
  if (viewer.signedIn && !isShort) return sql`1`
  const quotes = sql`(select count(*) from thread quoting cross join quotes q on q.status_id = quoting.id)`
  return sql`(thread.place between ${-nearest.below} and ${nearest.above} or ${quotes} <= ${quotesInReach})`
}
