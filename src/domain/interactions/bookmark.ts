import { and, eq } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { bookmarks } from '../../db/schema'
import { NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { findOriginalStatus, isStillVisible, originalOf, visibleOriginal } from '../statuses/find'

/** Bookmarks the status `id`, or its original, for the viewer. Publishes and federates nothing. */
export async function bookmarkStatus(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: StatusId): Promise<void> {
  const status = await findOriginalStatus(ctx, viewer, id)
  const changes = new Changes().require(isStillVisible(viewerById(viewer.id), status.id), new NotFound()).add(
    ctx.db
      .insert(bookmarks)
      .values({ id: ctx.ids.next(), accountId: viewer.id, statusId: status.id })
      .onConflictDoNothing({ target: [bookmarks.statusId, bookmarks.accountId] }),
  )
  await commit(ctx, changes)
}

/**
 * Removes a bookmark, also after the author hid the status from `viewer`. Without a bookmark a hidden status is
 * `NotFound`, and a visible one stays as it is.
 */
export async function unbookmarkStatus(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: StatusId): Promise<void> {
  const own = and(eq(bookmarks.accountId, viewer.id), eq(bookmarks.statusId, originalOf(id)))
  const { mark, visible } = await execute(
    ctx.db,
    combineQueries({
      mark: first(ctx.db.select({ id: bookmarks.id }).from(bookmarks).where(own)),
      visible: visibleOriginal(ctx, viewerById(viewer.id), id),
    }),
  )
  if (mark === null && visible === null) throw new NotFound()
  if (mark === null) return
  await commit(ctx, new Changes().add(ctx.db.delete(bookmarks).where(eq(bookmarks.id, mark.id))))
}
