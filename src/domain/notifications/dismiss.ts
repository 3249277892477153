import { and, eq } from 'drizzle-orm'
import { notifications } from '../../db/schema'
import { inList } from '../../db/sql'
import { NotFound } from '../../errors'
import type { NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { changeNotifications } from './change-in-parts'

/** Deletes one of the viewer's notifications; missing ones and those of other accounts are `NotFound`. */
export async function dismissNotification(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  const own = and(eq(notifications.id, id), eq(notifications.accountId, viewer.id))
  const [removed] = await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
  if (removed === 0) throw new NotFound()
}

/** Deletes all notifications of the viewer: the latest at once, a job those behind them. */
export function clearNotifications(ctx: Ctx, viewer: Viewer): Promise<void> {
  return changeNotifications(ctx, viewer.id, { what: 'clear' })
}

/** Deletes a group of the viewer's notifications: the latest at once, a job those behind. An unknown key is no error. */
export function dismissGroup(ctx: Ctx, viewer: Viewer, key: string): Promise<void> {
  return changeNotifications(ctx, viewer.id, { what: 'dismiss-group', key })
}

/** Deletes the viewer's notifications among `ids`. */
export async function dismissAll(ctx: Ctx, viewer: Viewer, ids: readonly NotificationId[]): Promise<void> {
  const own = and(eq(notifications.accountId, viewer.id), inList(notifications.id, ids))
  await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
}
