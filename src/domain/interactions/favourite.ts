import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { favourites, statuses } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { notify } from '../notifications/notify'
import type { VisibleStatus } from '../policy/visibility'
import { favouritesChangedBy } from '../statuses/counters'
import { findOriginalStatus, isStillVisible, originalOf, visibleOriginal } from '../statuses/find'
import { withdrawNotification } from '../statuses/withdraw-notification'

/**
 * Makes `viewer` favourite the status `id`, or its original, and notifies a local author. Idempotent. `NotFound`
 * for a status the viewer may not see. Emits `favourite.created` for a remote status.
 */
export async function favouriteStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const status = await findOriginalStatus(ctx, viewer, id)
  const mark = ctx.ids.next()
  const changes = new Changes().require(isStillVisible(viewerById(viewer.id), status.id), new NotFound())
  addFavourite(ctx, changes, { id: mark, by: viewer.id, status, uri: null })
  if (!status.local)
    changes.emit({
      kind: 'favourite.created',
      accountId: viewer.id,
      statusId: status.id,
      favouriteId: mark,
    })
  await commit(ctx, changes)
}

interface NewFavourite {
  readonly id: number
  readonly by: AccountId
  readonly status: VisibleStatus
  /** Id of the remote Like activity; null for a local favourite. */
  readonly uri: string | null
}

/** Adds a favourite, where there is none yet, with its count and its notification. */
export function addFavourite(ctx: Ctx, changes: Changes, { id, by, status, uri }: NewFavourite): void {
  changes.add(
    ctx.db
      .insert(favourites)
      .values({ id, accountId: by, statusId: status.id, uri })
      .onConflictDoNothing({ target: [favourites.statusId, favourites.accountId] }),
    // Only the statement above can have made this id: the count moves exactly when it did.
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(1))
      .where(and(eq(statuses.id, status.id), sql`exists (select 1 from ${favourites} f where f.id = ${id})`)),
  )
  if (status.local)
    notify(ctx, changes, [{ to: status.accountId, from: by, type: 'favourite', statusId: status.id }])
}

/** Deletes the favourite `mark` with its count and its notification. */
export function removeFavourite(
  ctx: Ctx,
  changes: Changes,
  { mark, by }: { readonly mark: FavouriteRow; readonly by: AccountId },
): void {
  const isMark = eq(favourites.id, mark.id)
  changes.add(
    // Counter first: after the delete nothing shows whether the row existed.
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(-1))
      .where(and(eq(statuses.id, mark.statusId), sql`exists (select 1 from ${favourites} where ${isMark})`)),
    ctx.db.delete(favourites).where(isMark),
    withdrawNotification(ctx, { from: by, type: 'favourite', statusId: mark.statusId }),
  )
}

export interface FavouriteRow {
  readonly id: number
  readonly statusId: StatusId
}

/**
 * Removes a favourite with its notification, also after the author hid the status from `viewer`. Without a
 * favourite a hidden status is `NotFound`, and a visible one stays as it is.
 */
export async function unfavouriteStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const own = and(eq(favourites.accountId, viewer.id), eq(favourites.statusId, originalOf(id)))
  const { mark, visible } = await execute(
    ctx.db,
    combineQueries({
      mark: first(
        ctx.db.select({ id: favourites.id, statusId: favourites.statusId }).from(favourites).where(own),
      ),
      visible: visibleOriginal(ctx, viewerById(viewer.id), id),
    }),
  )
  if (mark === null && visible === null) throw new NotFound()
  if (mark === null) return
  const changes = new Changes()
  removeFavourite(ctx, changes, { mark, by: viewer.id })
  // A status hidden by now may be remote or local.
  if (visible?.local !== true)
    changes.emit({
      kind: 'favourite.removed',
      accountId: viewer.id,
      statusId: mark.statusId,
      favouriteId: mark.id,
    })
  await commit(ctx, changes)
}
