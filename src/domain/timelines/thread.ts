import { type SQL, sql } from 'drizzle-orm'
import { BoundedSelection, first, limitTo, map, type Query } from '../../db/query'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { candidateLimit, scanStatuses } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { allowedInThread, hasOwnRules, hiddenByOwnRules } from '../policy/blocks-and-mutes'
import { visibleTo } from '../policy/visibility'

/**
 * Thread limits: statuses up, statuses down, and depth. As Mastodon's for anonymous visitors, but members see threads at any depth.
 *
 * Mastodon gives members 4,096 both ways: 2,760 answers are 8 MB and 39,000 rows. Here the first are shown, in thread
 * order, so that each comes with all it answers; what follows is in the threads of the last ones.
 */
const threadLimits = { ancestors: 40, descendants: 60, depth: { strangers: 20, members: 60 } } as const

export interface ThreadRequest {
  readonly id: StatusId
  readonly now: Date
  /** Applies the anonymous limits to members too: a page does not show thousands. */
  readonly isShort?: boolean
}

/** Chosen in SQL, since only the database knows the viewer: the token may be an application's, without an account. */
function maxDepth(viewer: ViewerRef, { isShort = false }: ThreadRequest): SQL {
  const { strangers, members } = threadLimits.depth
  return viewer.signedIn && !isShort
    ? sql`iif(${viewer.id} is null, ${strangers}, ${members})`
    : sql`${strangers}`
}

/**
 * The thread around the status `id` as rows (id, cursor): ancestors above 0, the oldest highest; the status
 * itself at 0; descendants below 0 in thread order, each right before its replies, siblings by age. Statuses by
 * authors the viewer mutes or blocks are omitted; the loader drops those the viewer may not see.
 */
export function threadSelection(viewer: ViewerRef, wanted: ThreadRequest): SQL {
  return sql`${threadAround(viewer, wanted)}
    select s.id as id, thread.place as cursor from thread cross join statuses s
    where s.id = thread.id and ${isWithinReach()} and (thread.place = 0 or ${allowedInThread(viewer, wanted.now)})`
}

/** Tables of which the last is the whole thread: `thread(id, place)`. Without statuses unless `isWanted` holds. */
function threadAround(viewer: ViewerRef, wanted: ThreadRequest, isWanted = sql`1`): SQL {
  const { id } = wanted
  // Takes descendants deepest first, oldest sibling first, which is reading order. Each step leads to the first
  // reply and the next sibling, so no more rows are read than shown.
  const answer = (to: SQL, after: SQL) => sql`(select min(a.id) from statuses a where a.in_reply_to_id = ${to}
    and a.id > ${after})`
  const thread = sql`thread(id, place) as materialized (select id, height from up
    union all
    select id, place from (select id, 1 - row_number() over () as place from down) where place < 0)`
  return sql`with recursive
    up(id, parent, height) as (select id, in_reply_to_id, 0 from statuses where id = ${id} and ${isWanted}
      union all
      select above.id, above.in_reply_to_id, up.height + 1 from up cross join statuses above
        where above.id = up.parent and up.height < ${threadLimits.ancestors}),
    down(id, depth, parent) as (select ${id}, 0, null where ${isWanted}
      union all
      select below.id, down.depth + 1, down.id from down cross join statuses below
        where below.id = ${answer(sql`down.id`, sql`0`)} and down.depth < ${maxDepth(viewer, wanted)}
      union all
      select beside.id, down.depth, down.parent from down cross join statuses beside
        where beside.id = ${answer(sql`down.parent`, sql`down.id`)}
      order by 2 desc, 1 asc ${limitTo(1 + threadLimits.descendants)}),
    ${thread}`
}

/**
 * Counts the statuses of a thread that the viewer's own blocks, mutes and domain blocks leave out, among those that anybody
 * may read: it stays the same if one of their authors blocks the viewer.
 */
export function countHiddenInThread(ctx: Ctx, viewer: ViewerRef, wanted: ThreadRequest): Query<number> {
  // Of a viewer without such rules, no thread is read.
  const thread = threadAround(viewer, wanted, hasOwnRules(viewer))
  const hidden = sql`(${thread} select s.id from thread cross join statuses s
    where s.id = thread.id and thread.place <> 0 and ${hiddenByOwnRules(viewer, wanted.now)}) hidden`
  const count = ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(hidden)
  return map(first(count), (row) => row?.count ?? 0)
}

/** Quoted statuses are loaded too: of threads with many quotes only the nearest statuses are shown. */
const quotesInReach = 25
const nearest = { above: 20, below: 30 }

function isWithinReach(): SQL {
  const quotes = sql`(select count(*) from thread quoting cross join quotes q on q.status_id = quoting.id)`
  return sql`(thread.place between ${-nearest.below} and ${nearest.above} or ${quotes} <= ${quotesInReach})`
}

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
