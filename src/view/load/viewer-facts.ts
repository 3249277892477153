import { sql } from 'drizzle-orm'
import { blockText } from '../../domain/policy/block-predicates'

/**
 * The viewer's interactions with a status and relationship to its author; null throughout for anonymous
 * viewers.
 */
export interface ViewerFacts {
  readonly viewerId: number | null
  readonly favourited: boolean
  readonly reblogged: boolean
  readonly bookmarked: boolean
  readonly muted: boolean
  readonly pinned: boolean
  readonly mentioned: boolean
  readonly followsAuthor: boolean
  readonly blockedByAuthor: boolean
  /** JSON list of chosen indexes. */
  readonly ownVotes: readonly number[]
  /** The reactions the viewer left. */
  readonly ownReactions: readonly string[]
}

/**
 * Interactions of `page.viewer_id` with `statuses`: one JSON column instead of a dozen, since result columns
 * are what costs CPU when a page is read.
 */
export const viewerFacts = sql<string | null>`${sql.raw(`json_array(page.viewer_id,
  exists (select 1 from favourites f where f.status_id = statuses.id and f.account_id = page.viewer_id),
  exists (select 1 from statuses r where r.reblog_of_id = statuses.id and r.account_id = page.viewer_id),
  exists (select 1 from bookmarks b where b.status_id = statuses.id and b.account_id = page.viewer_id),
  exists (select 1 from conversation_mutes c
    where c.account_id = page.viewer_id and c.conversation_id = statuses.conversation_id),
  exists (select 1 from status_pins p where p.status_id = statuses.id and p.account_id = page.viewer_id),
  exists (select 1 from status_mentions m where m.status_id = statuses.id and m.account_id = page.viewer_id),
  exists (select 1 from follows f
    where f.account_id = page.viewer_id and f.target_account_id = statuses.account_id),
  ${blockText.blocks('statuses.account_id', 'page.viewer_id')},
  (select json_group_array(v.choice) from poll_votes v
    where v.poll_id = statuses.poll_id and v.account_id = page.viewer_id),
  case when statuses.reactions = '[]' then null else (select json_group_array(r.name) from emoji_reactions r
    where r.status_id = statuses.id and r.account_id = page.viewer_id) end)`)}`
export const anonymousCell = sql<string | null>`null`

const anonymousFacts: ViewerFacts = {
  viewerId: null,
  favourited: false,
  reblogged: false,
  bookmarked: false,
  muted: false,
  pinned: false,
  mentioned: false,
  followsAuthor: false,
  blockedByAuthor: false,
  ownVotes: [],
  ownReactions: [],
}

export function readViewerFacts(column: string | null): ViewerFacts {
  if (column === null) return anonymousFacts
  const facts: unknown[] = JSON.parse(column)
  const viewerId = facts[0]
  const isSet = (index: number) => facts[index] === 1
  const list = (index: number) => {
    const cell = facts[index]
    const found: unknown = typeof cell === 'string' ? JSON.parse(cell) : cell
    return Array.isArray(found) ? found : []
  }
  return {
    viewerId: typeof viewerId === 'number' ? viewerId : null,
    favourited: isSet(1),
    reblogged: isSet(2),
    bookmarked: isSet(3),
    muted: isSet(4),
    pinned: isSet(5),
    mentioned: isSet(6),
    followsAuthor: isSet(7),
    blockedByAuthor: isSet(8),
    ownVotes: list(9),
    ownReactions: list(10),
  }
}
