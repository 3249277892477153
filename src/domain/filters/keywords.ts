import { eq, sql } from 'drizzle-orm'
import type { FilteredStatus, FilterKeyword } from '../../contract/filters'
import { filterLimits } from '../../contract/limits'
import { combineQueries, execute, orNotFound } from '../../db/query'
import { filterStatuses } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { FilterId, FilterKeywordId, FilterStatusId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { isStillVisible, visibleStatus } from '../statuses/find'
import {
  bumpFiltersVersion,
  filterWithKeyword,
  filterWithStatus,
  ownFilter,
  ownsFilter,
  requireFilterLimits,
  reviseFilter,
} from './create'
import type { FilterPlan, KeywordPatch } from './plan'

type KeywordChange = Pick<KeywordPatch, 'keyword' | 'wholeWord'>

/**
 * Adds a keyword to a filter of the viewer, for whole words by default.
 *
 * `NotFound` for another account's filter, `Invalid` as `planFilterUpdate` says. Publishes `filters.changed`.
 */
export async function addKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { filterId, ...change }: KeywordChange & { readonly filterId: FilterId },
): Promise<FilterKeyword> {
  const { added } = await reviseFilter(ctx, viewer, {
    of: ownFilter(ctx, viewerById(viewer.id), filterId),
    patchFor: () => ({ keywords: [newKeyword(change)] }),
  })
  const [made] = added
  if (made === undefined) throw new Error('A keyword was planned and not added')
  return made
}

/** Changes a keyword of the viewer. `NotFound` for another account's. Publishes `filters.changed`. */
export async function changeKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, ...change }: KeywordChange & { readonly id: FilterKeywordId },
): Promise<FilterKeyword> {
  const { filter } = await reviseFilter(ctx, viewer, {
    of: filterWithKeyword(ctx, viewerById(viewer.id), id),
    patchFor: () => ({ keywords: [{ id, ...change }] }),
  })
  return keywordIn(filter, id)
}

/**
 * Changes the keyword of the filter with this id. Any other id, also that of a keyword elsewhere, adds a keyword
 * under an id of its own.
 *
 * `NotFound` for another account's filter. Publishes `filters.changed`.
 */
export async function putKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, filterId, ...change }: KeywordChange & { readonly id: FilterKeywordId; readonly filterId: FilterId },
): Promise<FilterKeyword> {
  const { filter, added } = await reviseFilter(ctx, viewer, {
    of: ownFilter(ctx, viewerById(viewer.id), filterId),
    patchFor: ({ keywords }) => ({
      keywords: [keywords.some((keyword) => keyword.id === id) ? { id, ...change } : newKeyword(change)],
    }),
  })
  return added[0] ?? keywordIn(filter, id)
}

/** Deletes a keyword from its filter. `NotFound` for another account's. Publishes `filters.changed`. */
export async function removeKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: FilterKeywordId,
): Promise<void> {
  await reviseFilter(ctx, viewer, {
    of: filterWithKeyword(ctx, viewerById(viewer.id), id),
    patchFor: () => ({ keywords: [{ id, destroy: true }] }),
  })
}

/** The keyword with this id, or `NotFound`. */
export function keywordIn({ keywords }: Pick<FilterPlan['filter'], 'keywords'>, id: FilterKeywordId) {
  const found = keywords.find((keyword) => keyword.id === id)
  if (found === undefined) throw new NotFound()
  return found
}

/** With no word at all still a keyword, which is refused: `planFilterUpdate` skips blank rows of forms. */
function newKeyword({ keyword = '', wholeWord = true }: KeywordChange): KeywordPatch {
  return { keyword, wholeWord }
}

/**
 * Adds a single status to a filter of the viewer, whatever its text.
 *
 * `NotFound` for another account's filter and for a status the viewer may not see, `Invalid` for a status already in
 * it. Publishes `filters.changed`.
 */
export async function filterStatus(
  ctx: Ctx,
  viewer: Viewer,
  { filterId, statusId }: { readonly filterId: FilterId; readonly statusId: StatusId },
): Promise<FilteredStatus> {
  const me = viewerById(viewer.id)
  const { filter, status } = await execute(
    ctx.db,
    combineQueries({ filter: ownFilter(ctx, me, filterId), status: visibleStatus(ctx, me, statusId) }),
  )
  if (filter === null || status === null) throw new NotFound()
  if (filter.statuses.length >= filterLimits.statuses)
    throw new Invalid('too_many', { field: 'statuses', max: filterLimits.statuses })
  const isNew = sql`not exists (select 1 from ${filterStatuses}
    where ${filterStatuses.filterId} = ${filterId} and ${filterStatuses.statusId} = ${statusId})`
  const added = { id: ctx.ids.next(), statusId }
  const changes = new Changes()
    .require(ownsFilter(viewer.id, filterId), new NotFound())
    .require(isStillVisible(me, statusId), new NotFound())
    .require(isNew, new Invalid('taken', { field: 'status' }))
    .add(ctx.db.insert(filterStatuses).values({ ...added, filterId }))
  requireFilterLimits(changes, viewer.id, { ...filter, statuses: [...filter.statuses, added] })
  await commit(ctx, bumpFiltersVersion(ctx, changes, viewer.id))
  return added
}

/** Removes a status from its filter. `NotFound` for another account's. Publishes `filters.changed`. */
export async function unfilterStatus(ctx: Ctx, viewer: Viewer, id: FilterStatusId): Promise<void> {
  await execute(ctx.db, orNotFound(filterWithStatus(ctx, viewerById(viewer.id), id)))
  const changes = new Changes().add(ctx.db.delete(filterStatuses).where(eq(filterStatuses.id, id)))
  await commit(ctx, bumpFiltersVersion(ctx, changes, viewer.id))
}
