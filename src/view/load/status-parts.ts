import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { editLimits } from '../../contract/limits'
import { type JsonPart, jsonColumn, listIn, optionalJsonPart } from '../../db/json-row'
import { type Query, rows } from '../../db/query'
import { accounts, statusEdits } from '../../db/schema'
import { type QuoteState, quoteStates } from '../../db/schema/federation'
import { blockText } from '../../domain/policy/block-predicates'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

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

/** The quote of a status, and what hides it from a viewer. */
export interface QuoteFacts {
  readonly state: QuoteState
  /** Null for quoted statuses that are not known here or deleted. */
  readonly quotedId: StatusId | null
  /** Made in a form without consent (before FEP-044f). */
  readonly legacy: boolean
  /** Whether the viewer may see the quoted status, as far as can be decided without loading it. */
  readonly seen: boolean
  readonly blocked: boolean
  readonly muted: boolean
  readonly domainBlocked: boolean
}

/**
 * The quote of `statuses`, for the viewer `page.viewer_id` at `now` in milliseconds, as part of a JSON column: no lookup
 * for statuses without a quote. Private statuses can only be quoted by their authors, for the same audience.
 */
export function quotePart(now: SQL): JsonPart<QuoteFacts | null> {
  return { cell: sql`${sql.raw(head)}${now}${sql.raw(tail)}`, read: readQuote }
}

const nowPlace = ':now'
const [head = '', tail = ''] = `(select json_array(q.state, q.quoted_status_id, q.legacy,
  quoted.visibility in ('public', 'unlisted') or quoted.account_id = q.account_id,
  author.suspended_at is not null or ${blockText.blocks('quoted.account_id', 'page.viewer_id')},
  ${blockText.blocks('page.viewer_id', 'quoted.account_id')},
  ${blockText.mutes('page.viewer_id', 'quoted.account_id', nowPlace)},
  ${blockText.blocksDomain('page.viewer_id', 'author.domain')})
  from quotes q left join statuses quoted on quoted.id = q.quoted_status_id
    left join accounts author on author.id = quoted.account_id
  where q.status_id = statuses.id)`.split(nowPlace)

const Bit = z.number().nullable()
const Cell = z.tuple([z.enum(quoteStates), z.number().nullable(), Bit, Bit, Bit, Bit, Bit, Bit])

function readQuote(parsed: unknown): QuoteFacts | null {
  if (parsed === null) return null
  const [state, quotedId, legacy, open, withheld, blocked, muted, domainBlocked] = Cell.parse(listIn(parsed))
  return {
    state,
    quotedId,
    legacy: legacy === 1,
    seen: open === 1 && withheld === 0,
    blocked: blocked === 1,
    muted: muted === 1,
    domainBlocked: domainBlocked === 1,
  }
}

/** The account a link preview names as author of the page, joined to the status that shows the preview. */
export const creators = alias(accounts, 'creators')

export const isCreator = sql`creators.id = statuses.card ->> '$.creatorId'`

const { note: _note, publicKey: _publicKey, alsoKnownAs: _aliases, ...shown } = getTableColumns(creators)

/** The creator account as part of a JSON column. */
export const creatorPart = optionalJsonPart(shown)

/** The creator account as one JSON column of a select. */
export const creatorCell = jsonColumn(creatorPart)

export type EditFacts = typeof statusEdits.$inferSelect

/** Loads the earlier versions of a status, oldest first. Visibility is checked on the status itself. */
export function loadEdits(ctx: Ctx, id: StatusId): Query<EditFacts[]> {
  return rows(
    ctx.db
      .select()
      .from(statusEdits)
      .where(eq(statusEdits.statusId, id))
      .orderBy(asc(statusEdits.id))
      .limit(editLimits.versions),
  )
}
