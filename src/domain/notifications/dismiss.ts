import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { notifications } from '../../db/schema'
import { NotFound } from '../../errors'
import type { NotificationId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import type { Viewer } from '../viewer'

/** Removes one of the viewer's notifications; missing ones and those of others are `NotFound`. */
export async function dismissNotification(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  const own = and(eq(notifications.id, id), eq(notifications.accountId, viewer.id))
  const [removed] = await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
  if (removed === 0) throw new NotFound()
}

/** Removes all notifications of the viewer. */
export async function clearNotifications(ctx: Ctx, viewer: Viewer): Promise<void> {
  const all = ctx.db.delete(notifications).where(eq(notifications.accountId, viewer.id))
  await commit(ctx, new Changes().add(all))
}
