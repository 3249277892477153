import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask, first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import { asOwn, asSelectedVisible, type OwnStatus, type VisibleStatus, visibleTo } from '../policy/visibility'
import { refOf, type Viewer, type ViewerRef } from '../viewer'

/** The status with this id as far as `viewer` may see it: hidden and missing are both null. One statement. */
export function visibleStatus(ctx: Ctx, viewer: ViewerRef, id: StatusId): Query<VisibleStatus | null> {
  const found = first(
    ctx.db
      .select(getTableColumns(statuses))
      .from(statuses)
      .where(sql`${eq(statuses.id, id)} and ${visibleTo(viewer, 'statuses')}`),
  )
  return map(found, (row) => (row === null ? null : asSelectedVisible(row)))
}

/** The status with this id, or `NotFound` when `viewer` may not see it. */
export async function findVisibleStatus(
  ctx: Ctx,
  viewer: Viewer | null,
  id: StatusId,
): Promise<VisibleStatus> {
  const found = await ask(ctx.db, visibleStatus(ctx, refOf(viewer), id))
  if (found === null) throw new NotFound()
  return found
}

/**
 * The status to act on when somebody favourites, reblogs or bookmarks the status `id`: a reblog stands for what
 * it shares. `NotFound` when `viewer` may not see it.
 */
export async function findOriginalStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<VisibleStatus> {
  const found = await findVisibleStatus(ctx, viewer, id)
  return found.reblogOfId === null ? found : findVisibleStatus(ctx, viewer, found.reblogOfId)
}

/** The viewer's own status with this id; somebody else's and missing ones are `NotFound`. */
export async function findOwnStatus(
  ctx: Ctx,
  viewer: { readonly id: AccountId },
  id: StatusId,
): Promise<OwnStatus> {
  const row = await ask(
    ctx.db,
    first(ctx.db.select(getTableColumns(statuses)).from(statuses).where(eq(statuses.id, id))),
  )
  const own = row === null ? null : asOwn(viewer.id, row)
  if (own === null) throw new NotFound()
  return own
}
