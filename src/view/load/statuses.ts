import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type FilterContext, type FilterMatch, isHiddenIn } from '../../contract/filters'
import { jsonPart, jsonParts, numberPart, optionalJsonPart, optionalNumberPart } from '../../db/json-row'
import { preparedShapes } from '../../db/prepared'
import {
  both,
  CostlySelection,
  ExpandedSelection,
  map,
  type Query,
  rows,
  type Selection,
  withEnd,
} from '../../db/query'
import { accounts, applications, polls, roles, statuses, users } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import { canSee } from '../../domain/policy/visibility'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountFacts, type AccountRoleFacts, accountPart, isUserOfAccount, rolePart } from './accounts'
import { type CollectionFacts, collectionsIn, collectionsOnPage, noCollections } from './collections'
import { loadFilters, withFilterMatches } from './filters'
import {
  anonymousPart,
  creatorPart,
  creators,
  isCreator,
  type QuoteFacts,
  quotePart,
  type ViewerFacts,
  viewerPart,
} from './status-parts'

const { text: _text, contentType: _type, ...statusColumns } = getTableColumns(statuses)

const { id, name, website } = applications

/** Parts of the JSON column of a status that no shape of the statement changes. */
const commonParts = {
  status: jsonPart(statusColumns),
  author: accountPart,
  role: rolePart,
  poll: optionalJsonPart(getTableColumns(polls)),
  creator: creatorPart,
  application: optionalJsonPart({ id, name, website }),
  hidesApplication: numberPart(sql`coalesce(${users.settings} ->> 'showApplication', 1) = 0`),
  cursor: optionalNumberPart(sql`page.cursor`),
  isQuoted: numberPart(sql`page.is_quoted`),
  isEnd: numberPart(sql`page.is_end`),
}

export type PollFacts = typeof polls.$inferSelect

/** A status with everything its entity shows, except the statuses it reblogs and quotes. */
export interface StatusFacts {
  readonly status: Omit<typeof statuses.$inferSelect, 'text' | 'contentType'>
  readonly author: AccountFacts
  readonly role: AccountRoleFacts | null
  readonly poll: PollFacts | null
  readonly quote: QuoteFacts | null
  /** The account its link preview names as author of the page. */
  readonly creator: AccountFacts | null
  /** The local collections whose pages it links, as far as the viewer may see them. */
  readonly collections: readonly CollectionFacts[] | null
  readonly application: { readonly name: string; readonly website: string | null } | null
  readonly authorHidesApplication: boolean
  readonly viewer: ViewerFacts
  /** The viewer's filters that it matches. */
  readonly filtered: readonly FilterMatch[]
}

/**
 * A page of statuses with the statuses they reblog and those that both quote. Contains only what the viewer may
 * see.
 */
export interface StatusBundle {
  /** The page itself, newest first. */
  readonly ids: readonly StatusId[]
  /** Every cursor selected, hidden entries included, so that the next page starts after them. */
  readonly cursors: readonly number[]
  /** The selection ended before the page was full: more may follow after its last cursor. */
  readonly endsEarly: boolean
  readonly statuses: ReadonlyMap<StatusId, StatusFacts>
}

/** Handling of a selected status that the viewer may not see: dropped, or kept without content. */
type Hidden = 'drop' | 'blank'

/**
 * Loads the statuses a selection names by rows (id, cursor), with what they reblog and what both quote, in one
 * statement; another loads the filters of a signed-in viewer. Quotes of quoted statuses are not loaded.
 *
 * Statuses the viewer may not see are dropped here, whatever the selection let through. `blank` is for responses
 * to undoing an interaction with a status that was hidden since: they reveal that it exists, which the viewer knew.
 */
export function loadStatuses(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: Selection | ExpandedSelection,
  hidden: Hidden = 'drop',
): Query<StatusBundle> {
  const found = both(loadUnfiltered(ctx, viewer, selection, hidden), loadFilters(ctx, viewer))
  return map(found, ([bundle, filters]) => {
    if (filters === null) return bundle
    return { ...bundle, statuses: withFilterMatches(bundle.statuses, filters, ctx.clock.now()) }
  })
}

/** Loads statuses without filters, for other servers. */
export function loadUnfiltered(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: Selection | ExpandedSelection,
  hidden: Hidden = 'drop',
): Query<StatusBundle> {
  return map(loadSelected(ctx, viewer, selection), (facts) => {
    const real = facts.filter((row) => row.isEnd === 0)
    const visible =
      hidden === 'drop' ? real.filter((row) => isVisibleRow(row)) : real.filter(isOwnPart).map(blankIfHidden)
    return bundleOf(visible, facts)
  })
}

/** A status of a selection, or one it refers to, before the visibility check. */
export interface SelectedStatus extends StatusFacts {
  /** Null for statuses that the selection did not name. */
  readonly cursor: number | null
  readonly isQuoted: number
  /** Marks where the selection ended; not part of the page. */
  readonly isEnd: number
}

/**
 * Expands `picked(id, cursor, is_end)` by what it reblogs and what both quote, to rows (id, cursor, viewer_id,
 * is_quoted, is_end).
 */
export function withReferenced(picked: SQL, viewerId: SQL): SQL {
  return sql`with recursive ${picked}, shown(id, cursor, viewer_id, is_quoted, is_end) as (
        select id, cursor, ${viewerId}, 0, is_end from picked
        union all
        select ${next}, null, shown.viewer_id, s.reblog_of_id is null, 0
          from shown cross join statuses s left join quotes q on q.status_id = s.id and s.reblog_of_id is null
          where s.id = shown.id and shown.is_quoted = 0 and shown.is_end = 0 and ${next} is not null)
    select id, cursor, viewer_id, is_quoted, is_end from shown`
}

/** Scope of the linked collections that a query reads: of each status, a few for the page, those named, or none. */
type CollectionScope = 'each' | 'page' | 'named' | 'none'

/**
 * Loads statuses unchecked, for loaders that apply `isVisibleRow` for each of several readers. One statement.
 *
 * By default a few linked collections are read for the whole page: with those of each status, forty statuses read
 * 18,000 rows.
 */
export function loadSelected(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: Selection | ExpandedSelection,
  scope: CollectionScope = selection instanceof ExpandedSelection ? 'named' : 'page',
): Query<readonly SelectedStatus[]> {
  const isSignedIn = viewer.signedIn
  const isExpanded = selection instanceof ExpandedSelection
  // The limit makes SQLite materialise the selection, so that it runs once: collections of a page reference it twice. It
  // also reads each row again, which members' pages without such links need not.
  const isKept = scope === 'page' && (!isSignedIn || selection instanceof CostlySelection)
  const picked = isExpanded ? selection.rows : withEnd(selection)
  const values = { picked, viewerId: viewer.id, now: ctx.clock.now().getTime() }
  return map(rows(selectStatuses(ctx.db, values, { scope, isSignedIn, isKept, isExpanded })), (found) => {
    const onPage = new Map<number, CollectionFacts>(
      found.flatMap(({ row }) => row.onPage ?? []).map((each) => [each.id, each]),
    )
    return found.map(({ row: { hidesApplication, onPage: _all, ...row } }) => ({
      ...row,
      collections: scope === 'page' || isExpanded ? linkedBy(row.status, onPage) : row.collections,
      authorHidesApplication: hidesApplication === 1,
      filtered: [],
    }))
  })
}

interface StatementShape extends Readonly<Record<string, string | boolean>> {
  readonly scope: CollectionScope
  readonly isSignedIn: boolean
  readonly isKept: boolean
  readonly isExpanded: boolean
}

const selectStatuses = preparedShapes(
  ['picked', 'viewerId', 'now'],
  (db, { picked, viewerId, now }, { scope, isSignedIn, isKept, isExpanded }: StatementShape) => {
    const selected = isExpanded
      ? sql`select id, cursor, ${viewerId} as viewer_id, is_quoted, 0 as is_end, linked from (${picked})`
      : withReferenced(sql`picked(id, cursor, is_end) as (${picked})`, viewerId)
    const page = db.$with('page', {}).as(isKept ? sql`${selected} limit -1` : selected)
    const row = jsonParts({
      ...commonParts,
      quote: quotePart(now),
      collections: scope === 'each' ? linkedCollections : noCollections,
      onPage: collectionsRead[scope],
      viewer: isSignedIn ? viewerPart : anonymousPart,
    })
    return (
      db
        .with(page)
        .select({ row: row.as('row') })
        .from(sql`page`)
        // Cross joins keep their order: left to choose, SQLite scans all statuses and looks each up in the page.
        .crossJoin(statuses)
        .crossJoin(accounts)
        .leftJoin(users, isUserOfAccount)
        .leftJoin(roles, eq(roles.id, users.roleId))
        .leftJoin(creators, isCreator)
        .leftJoin(polls, eq(polls.id, statuses.pollId))
        .leftJoin(applications, eq(applications.id, statuses.applicationId))
        .where(sql`${statuses.id} = page.id and ${accounts.id} = ${statuses.accountId}`)
    )
  },
)

/** The collections of a page that one of its statuses links; null if it links none. */
function linkedBy(
  { linkedCollections: ids }: StatusFacts['status'],
  onPage: ReadonlyMap<number, CollectionFacts>,
): readonly CollectionFacts[] | null {
  if (ids.length === 0) return null
  return ids.flatMap((id) => onPage.get(id) ?? [])
}

// Status that the status `s` refers to: of a reblog the reblogged status, of a quoting status the quoted one. Separate
// queries for the two would read the page twice.
const next = sql.raw(`coalesce(s.reblog_of_id,
  case when q.state in ('pending', 'accepted') then q.quoted_status_id end)`)

/** Collections whose pages `statuses` links, as far as `page.viewer_id` may see them. */
export const linkedCollections = collectionsIn('statuses.linked_collections', 'page.viewer_id')

const collectionsRead = {
  each: noCollections,
  page: collectionsOnPage,
  named: collectionsIn('page.linked', 'page.viewer_id'),
  none: noCollections,
} as const

/** Selects given statuses, in the order given. */
export function statusesById(ids: readonly StatusId[]): SQL {
  return sql`select value as id, -key as cursor from json_each(${JSON.stringify(ids)})`
}

interface Selected {
  readonly status: Pick<StatusFacts['status'], 'id' | 'reblogOfId'>
  readonly cursor: number | null
  readonly isEnd: number
}

/** Builds a bundle of the visible statuses of a selection. */
export function bundleOf(shown: readonly StatusFacts[], selected: readonly Selected[]): StatusBundle {
  const permitted = new Map(shown.map((row) => [row.status.id, row]))
  const top = selected
    .filter((row) => row.cursor !== null)
    .toSorted((a, b) => (b.cursor ?? 0) - (a.cursor ?? 0))
  const whole = top.filter(
    ({ isEnd, status: { id, reblogOfId } }) =>
      isEnd === 0 && permitted.has(id) && (reblogOfId === null || permitted.has(reblogOfId)),
  )
  return {
    ids: whole.map((row) => row.status.id),
    cursors: [...new Set(top.map((row) => row.cursor ?? 0))],
    endsEarly: top.some(({ isEnd }) => isEnd === 1),
    statuses: permitted,
  }
}

/** False for collections and previews of a hidden quoted status: nothing of it is shown. */
function isOwnPart(row: StatusFacts & { readonly isQuoted: number }): boolean {
  return row.isQuoted === 0 || isVisibleRow(row)
}

function blankIfHidden(row: StatusFacts): StatusFacts {
  if (isVisibleRow(row)) return row
  const nothing = { content: '', spoilerText: '', card: null, attachments: [], mentions: [], tags: [] }
  return {
    ...row,
    status: { ...row.status, ...nothing, emojis: [], reactions: [], pollId: null },
    poll: null,
    collections: null,
  }
}

/**
 * Whether the viewer may see the row. Signed-in viewers are always local; pass `isLocal` for content shared by
 * every local reader.
 */
export function isVisibleRow(
  { status, author, viewer }: StatusFacts,
  isLocal = viewer.viewerId !== null,
): boolean {
  const { blockedByAuthor, followsAuthor, mentioned } = viewer
  return canSee(viewer.viewerId, status, {
    authorSuspended: author.suspendedAt !== null,
    blockedByAuthor,
    followsAuthor,
    mentioned,
    isLocal,
  })
}

/**
 * Removes from the bundle what the viewer's filters hide in `context`. Cursors stay, so that the next page
 * starts after hidden statuses.
 *
 * The viewer's own statuses carry their matches like any other, as in Mastodon, but are never hidden.
 */
export function withoutHidden(bundle: StatusBundle, context: FilterContext): StatusBundle {
  const isHidden = (id: StatusId) => {
    const facts = bundle.statuses.get(id)
    if (facts === undefined || !isHiddenIn(context, facts.filtered)) return false
    const shown = bundle.statuses.get(facts.status.reblogOfId ?? id) ?? facts
    return shown.status.accountId !== shown.viewer.viewerId
  }
  return { ...bundle, ids: bundle.ids.filter((id) => !isHidden(id)) }
}
