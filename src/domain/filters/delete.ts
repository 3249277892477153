import { eq } from 'drizzle-orm'
import { filters } from '../../db/schema'
import { NotFound } from '../../errors'
import type { FilterId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { bumpFiltersVersion } from './bump-version'
import { ownsFilter } from './find'

/** Deletes a filter with its keywords and statuses. `NotFound` for another account's. Publishes `filters.changed`. */
export async function deleteFilter(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: FilterId): Promise<void> {
  const changes = new Changes()
    .require(ownsFilter(viewer.id, id), new NotFound())
    .add(ctx.db.delete(filters).where(eq(filters.id, id)))
  await commit(ctx, bumpFiltersVersion(ctx, changes, viewer.id))
}
