import { eq, sql } from 'drizzle-orm'
import { filterLimits } from '../../contract/limits'
import { combineQueries, execute, orNotFound } from '../../db/query'
import { filterStatuses } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { FilteredStatus } from '../../lib/filters/keyword-index'
import type { FilterId, FilterStatusId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { isStillVisible, visibleStatus } from '../statuses/find'
import { bumpFiltersVersion, requireFilterLimits } from './create'
import { filterWithStatus, ownFilter, ownsFilter } from './find'

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
