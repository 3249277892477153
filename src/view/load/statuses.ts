import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { packed, packedOptional } from '../../db/packed'
import { both, map, type Query, rows } from '../../db/query'
import { accounts, applications, polls, roles, statuses, users } from '../../db/schema'
import { canSee } from '../../domain/policy/visibility'
import type { ViewerRef } from '../../domain/viewer'
import type { FilterMatch } from '../../lib/filters/compiled'
import type { StatusId } from '../../lib/ids'
import { type AccountFacts, type AccountRoleFacts, accountCell, roleCell } from './accounts'
import { type CollectionFacts, collectionsIn } from './collections'
import { creatorCell, creators, isCreator } from './creators'
import { loadFilters, withMatches } from './filters'
import { type QuoteFacts, quoteCell } from './quotes'

const { text: _text, contentType: _type, ...statusColumns } = getTableColumns(statuses)

const statusCell = packed(statusColumns)
const pollCell = packedOptional(getTableColumns(polls))
const { id, name, website } = applications
const applicationCell = packedOptional({ id, name, website })

/** What a viewer did with a status and how they stand to its author; null throughout for anonymous readers. */
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
  /** The kinds of reaction the viewer left. */
  readonly ownReactions: readonly string[]
}

export type PollFacts = typeof polls.$inferSelect

/** One status with everything its entity shows, but for the statuses it reblogs and quotes. */
export interface StatusFacts {
  readonly status: Omit<typeof statuses.$inferSelect, 'text' | 'contentType'>
  readonly author: AccountFacts
  readonly role: AccountRoleFacts | null
  readonly poll: PollFacts | null
  readonly quote: QuoteFacts | null
  /** Whom its preview names as the author of the page. */
  readonly creator: AccountFacts | null
  /** Collections of this server whose pages it links, as far as the viewer may see them. */
  readonly collections: readonly CollectionFacts[] | null
  readonly application: { readonly name: string; readonly website: string | null } | null
  readonly authorHidesApplication: boolean
  readonly viewer: ViewerFacts
  /** The viewer's filters it matches. */
  readonly filtered: readonly FilterMatch[]
}

/** A page of statuses closed over what they reblog and what both quote. Only what the viewer may see is inside. */
export interface StatusBundle {
  /** The page itself, newest first. */
  readonly ids: readonly StatusId[]
  /** Every cursor selected, hidden entries included, so that paging goes on behind them. */
  readonly cursors: readonly number[]
  readonly statuses: ReadonlyMap<StatusId, StatusFacts>
}

/** What becomes of a selected status the viewer may not see: gone, or there with nothing in it. */
type Hidden = 'drop' | 'blank'

/**
 * Loads the statuses a selection names by rows (id, cursor), with what they reblog and what both quote, in one
 * statement; another finds the filters of a signed-in viewer. What is quoted there in turn is not loaded.
 *
 * Whatever the selection let through, a status the viewer may not see is dropped here. `blank` is for answers
 * to taking back a mark on a status that was hidden since: they show that it exists, which the viewer knew.
 */
export function loadStatuses(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: SQL,
  hidden: Hidden = 'drop',
): Query<StatusBundle> {
  const found = both(loadUnfiltered(ctx, viewer, selection, hidden), loadFilters(ctx, viewer))
  return map(found, ([bundle, filters]) => {
    if (filters === null) return bundle
    return { ...bundle, statuses: withMatches(bundle.statuses, filters, ctx.clock.now()) }
  })
}

/** The same for other servers, whom nobody's filters concern. */
export function loadUnfiltered(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: SQL,
  hidden: Hidden = 'drop',
): Query<StatusBundle> {
  const page = sql`(with recursive picked(id, cursor) as (${selection}), shown(id, cursor, viewer_id, is_quoted) as (
        select id, cursor, ${viewer.id}, 0 from picked
        union all
        select ${next}, null, shown.viewer_id, s.reblog_of_id is null
          from shown cross join statuses s left join quotes q on q.status_id = s.id and s.reblog_of_id is null
          where s.id = shown.id and shown.is_quoted = 0 and ${next} is not null)
    select id, cursor, viewer_id, is_quoted from shown) as page`
  const found = rows(
    ctx.db
      .select({
        status: statusCell.as('status'),
        author: accountCell.as('author'),
        role: roleCell.as('role'),
        poll: pollCell.as('poll'),
        quote: quoteCell(ctx.clock.now()).as('quote'),
        creator: creatorCell.as('creator'),
        collections: linkedCollections.as('collections'),
        application: applicationCell.as('application'),
        hidesApplication: sql<number>`coalesce(${users.settings} ->> 'showApplication', 1) = 0`.as('hides'),
        viewer: (viewer.signedIn ? viewerFacts : nobodysCell).as('viewer'),
        cursor: sql<number | null>`page.cursor`.as('cursor'),
        isQuoted: sql<number>`page.is_quoted`.as('is_quoted'),
      })
      .from(page)
      // A cross join keeps its order: left to choose, SQLite scans all statuses and looks each up in the page.
      .crossJoin(statuses)
      .crossJoin(accounts)
      .leftJoin(users, eq(users.accountId, statuses.accountId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .leftJoin(creators, isCreator)
      .leftJoin(polls, eq(polls.id, statuses.pollId))
      .leftJoin(applications, eq(applications.id, statuses.applicationId))
      .where(sql`${statuses.id} = page.id and ${accounts.id} = ${statuses.accountId}`),
  )
  return map(found, (all) => {
    const facts = all.map(({ hidesApplication, ...row }) => ({
      ...row,
      authorHidesApplication: hidesApplication === 1,
      viewer: readViewerFacts(row.viewer),
      filtered: [],
    }))
    const kept = hidden === 'drop' ? facts.filter(mayBeSeen) : facts.filter(isOwnPart).map(blankIfHidden)
    return bundleOf(kept, facts)
  })
}

const linkedCollections = collectionsIn('statuses.linked_collections', 'page.viewer_id')

// One step from each status: from a reblog to what it shares, from that to what it quotes. Asked for apart, both
// would read the page anew.
const next = sql.raw(`coalesce(s.reblog_of_id,
  case when q.state in ('pending', 'accepted') then q.quoted_status_id end)`)

/** A selection of given statuses, in the order given. */
export function statusesById(ids: readonly StatusId[]): SQL {
  return sql`select value as id, -key as cursor from json_each(${JSON.stringify(ids)})`
}

interface Selected {
  readonly status: Pick<StatusFacts['status'], 'id' | 'reblogOfId'>
  readonly cursor: number | null
}

/** A bundle of what is shown of all that was selected. */
function bundleOf(shown: readonly StatusFacts[], selected: readonly Selected[]): StatusBundle {
  const permitted = new Map(shown.map((row) => [row.status.id, row]))
  const top = selected
    .filter((row) => row.cursor !== null)
    .toSorted((a, b) => (b.cursor ?? 0) - (a.cursor ?? 0))
  const whole = top.filter(
    ({ status: { id, reblogOfId } }) =>
      permitted.has(id) && (reblogOfId === null || permitted.has(reblogOfId)),
  )
  return {
    ids: whole.map((row) => row.status.id),
    cursors: top.map((row) => row.cursor ?? 0),
    statuses: permitted,
  }
}

/** Nothing is told of what is quoted and hidden. */
function isOwnPart(row: StatusFacts & { readonly isQuoted: number }): boolean {
  return row.isQuoted === 0 || mayBeSeen(row)
}

function blankIfHidden(row: StatusFacts): StatusFacts {
  if (mayBeSeen(row)) return row
  const nothing = { content: '', spoilerText: '', card: null, attachments: [], mentions: [], tags: [] }
  return {
    ...row,
    status: { ...row.status, ...nothing, emojis: [], reactions: [], pollId: null },
    poll: null,
    collections: null,
  }
}

function mayBeSeen({ status, author, viewer }: StatusFacts): boolean {
  const { blockedByAuthor, followsAuthor, mentioned } = viewer
  return canSee(viewer.viewerId, status, {
    authorSuspended: author.suspendedAt !== null,
    blockedByAuthor,
    followsAuthor,
    mentioned,
    // Only people of this server have pages made of these.
    isLocal: viewer.viewerId !== null,
  })
}

// One JSON column instead of a dozen: result columns are what costs CPU when a page is read.
const viewerFacts = sql<string | null>`${sql.raw(`json_array(page.viewer_id,
  exists (select 1 from favourites f where f.status_id = statuses.id and f.account_id = page.viewer_id),
  exists (select 1 from statuses r where r.reblog_of_id = statuses.id and r.account_id = page.viewer_id),
  exists (select 1 from bookmarks b where b.status_id = statuses.id and b.account_id = page.viewer_id),
  exists (select 1 from conversation_mutes c
    where c.account_id = page.viewer_id and c.conversation_id = statuses.conversation_id),
  exists (select 1 from status_pins p where p.status_id = statuses.id and p.account_id = page.viewer_id),
  exists (select 1 from status_mentions m where m.status_id = statuses.id and m.account_id = page.viewer_id),
  exists (select 1 from follows f
    where f.account_id = page.viewer_id and f.target_account_id = statuses.account_id),
  exists (select 1 from blocks b
    where b.account_id = statuses.account_id and b.target_account_id = page.viewer_id),
  (select json_group_array(v.choice) from poll_votes v
    where v.poll_id = statuses.poll_id and v.account_id = page.viewer_id),
  case when statuses.reactions = '[]' then null else (select json_group_array(r.name) from emoji_reactions r
    where r.status_id = statuses.id and r.account_id = page.viewer_id) end)`)}`
const nobodysCell = sql<string | null>`null`

const nobodysFacts: ViewerFacts = {
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

function readViewerFacts(column: string | null): ViewerFacts {
  if (column === null) return nobodysFacts
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
