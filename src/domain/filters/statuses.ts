import { eq, sql } from 'drizzle-orm'
import { ask, together } from '../../db/query'
import { filterStatuses } from '../../db/schema'
import { NotFound, validationFailed } from '../../errors'
import type { FilteredStatus } from '../../lib/filters/rule'
import type { FilterId, FilterStatusId, StatusId } from '../../lib/ids'
import { filterLimits } from '../../lib/limits'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { refById, type Viewer } from '../core/viewer'
import { stillVisible, visibleStatus } from '../statuses/find'
import { filtersChanged } from './changed'
import { filterWithStatus, ownFilter, stillOwn } from './find'
import { requireRoom } from './room'

/**
 * Puts one status into a filter of the viewer, whatever it says.
 *
 * `NotFound` for somebody else's filter and for a status the viewer may not see, `Invalid` for one that is in there.
 * Tells `filters.changed`.
 */
export async function filterStatus(
  ctx: Ctx,
  viewer: Viewer,
  { filterId, statusId }: { readonly filterId: FilterId; readonly statusId: StatusId },
): Promise<FilteredStatus> {
  const me = refById(viewer.id)
  const { filter, status } = await ask(
    ctx.db,
    together({ filter: ownFilter(ctx, me, filterId), status: visibleStatus(ctx, me, statusId) }),
  )
  if (filter === null || status === null) throw new NotFound()
  if (filter.statuses.length >= filterLimits.statuses)
    throw validationFailed(`Statuses are too many (maximum is ${filterLimits.statuses})`)
  const isNew = sql`not exists (select 1 from ${filterStatuses}
    where ${filterStatuses.filterId} = ${filterId} and ${filterStatuses.statusId} = ${statusId})`
  const made = { id: ctx.ids.next(), statusId }
  const changes = new Changes()
    .require(stillOwn(viewer.id, filterId), new NotFound())
    .require(stillVisible(me, statusId), new NotFound())
    .require(isNew, validationFailed('Status has already been taken'))
    .add(ctx.db.insert(filterStatuses).values({ ...made, filterId }))
  requireRoom(changes, viewer.id, { ...filter, statuses: [...filter.statuses, made] })
  await commit(ctx, filtersChanged(ctx, changes, viewer.id))
  return made
}

/** Takes a status out of its filter. `NotFound` for somebody else's. Tells `filters.changed`. */
export async function unfilterStatus(ctx: Ctx, viewer: Viewer, id: FilterStatusId): Promise<void> {
  const filter = await ask(ctx.db, filterWithStatus(ctx, refById(viewer.id), id))
  if (filter === null) throw new NotFound()
  const changes = new Changes().add(ctx.db.delete(filterStatuses).where(eq(filterStatuses.id, id)))
  await commit(ctx, filtersChanged(ctx, changes, viewer.id))
}
