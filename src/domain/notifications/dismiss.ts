import { and, eq, sql } from 'drizzle-orm'
import { notifications } from '../../db/schema'
import { inList } from '../../db/sql'
import { NotFound } from '../../errors'
import type { NotificationId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { memberOf } from './find-groups'

/** Deletes one of the viewer's notifications; missing ones and those of other accounts are `NotFound`. */
export async function dismissNotification(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  const own = and(eq(notifications.id, id), eq(notifications.accountId, viewer.id))
  const [removed] = await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
  if (removed === 0) throw new NotFound()
}

/** Deletes all notifications of the viewer. */
export async function clearNotifications(ctx: Ctx, viewer: Viewer): Promise<void> {
  const all = ctx.db.delete(notifications).where(eq(notifications.accountId, viewer.id))
  await commit(ctx, new Changes().add(all))
}

/** Deletes a group of the viewer's notifications. An unknown key is no error. */
export async function dismissGroup(ctx: Ctx, viewer: Viewer, key: string): Promise<void> {
  const members = sql`${notifications.id} in (select n.id from notifications n
    where ${memberOf(viewerById(viewer.id), key)})`
  await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(members)))
}

/** Deletes the viewer's notifications among `ids`. */
export async function dismissAll(ctx: Ctx, viewer: Viewer, ids: readonly NotificationId[]): Promise<void> {
  const own = and(eq(notifications.accountId, viewer.id), inList(notifications.id, ids))
  await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
}
