import { type SQL, sql } from 'drizzle-orm'
import { type JsonPart, listIn } from '../../db/json-row'
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

const exists = [
  // Requests await approval by an author who asks for it, and are read for their statuses alone.
  `(exists (select 1 from favourites f where f.status_id = statuses.id and f.account_id = page.viewer_id)
    or (statuses.like_policy <> 'public' and exists (select 1 from favourite_requests f
      where f.status_id = statuses.id and f.account_id = page.viewer_id)))`,
  'exists (select 1 from statuses r where r.reblog_of_id = statuses.id and r.account_id = page.viewer_id)',
  'exists (select 1 from bookmarks b where b.status_id = statuses.id and b.account_id = page.viewer_id)',
  `exists (select 1 from conversation_mutes c
    where c.account_id = page.viewer_id and c.conversation_id = statuses.conversation_id)`,
  'exists (select 1 from status_pins p where p.status_id = statuses.id and p.account_id = page.viewer_id)',
  'exists (select 1 from status_mentions m where m.status_id = statuses.id and m.account_id = page.viewer_id)',
  `exists (select 1 from follows f
    where f.account_id = page.viewer_id and f.target_account_id = statuses.account_id)`,
  blockText.blocks('statuses.account_id', 'page.viewer_id'),
]
const votes = `from poll_votes v
    where v.poll_id = statuses.poll_id and v.account_id = page.viewer_id`
const reactions = `from emoji_reactions r
    where r.status_id = statuses.id and r.account_id = page.viewer_id`

/**
 * Interactions of `page.viewer_id` with `statuses`: one part instead of a dozen columns, since result columns are what
 * costs CPU when a page is read.
 */
export const viewerPart: JsonPart<ViewerFacts> = {
  cell: sql.raw(`json_array(page.viewer_id,
  ${exists.join(',\n  ')},
  (select json_group_array(v.choice) ${votes}),
  case when statuses.reactions = '[]' then null else (select json_group_array(r.name) ${reactions}) end)`),
  read: readViewerFacts,
}

/** Number of these interactions and relationships, each of which is a row that `viewerPart` reads. */
export const viewerFactCount: SQL = sql.raw(`${exists.join(' + ')} + (select count(*) ${votes})
  + case when statuses.reactions = '[]' then 0 else (select count(*) ${reactions}) end`)

export const anonymousPart: JsonPart<ViewerFacts> = { cell: sql`null`, read: () => anonymousFacts }

export const anonymousFacts: ViewerFacts = {
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

function readViewerFacts(parsed: unknown): ViewerFacts {
  const facts = listIn(parsed)
  const viewerId = facts[0]
  const isSet = (index: number) => facts[index] === 1
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
    ownVotes: listIn(facts[9]).map(Number),
    ownReactions: listIn(facts[10]).map(String),
  }
}
