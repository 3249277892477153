import { and, eq, lte, sql } from 'drizzle-orm'
import { mutes } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { deleteConversationsWith } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { deleteNotificationsFrom } from './delete-notifications'
import { findRelationshipPair } from './find'

export interface MuteOptions {
  readonly hideNotifications: boolean
  /** 0 means no expiry. */
  readonly durationSeconds: number
}

/**
 * Mutes `target` for `viewer`, replacing an earlier mute. Muting oneself does nothing.
 *
 * With `hideNotifications` false the mute only affects timelines; with it, the target's notifications and the
 * conversations with it are deleted as well. An expired mute has no effect even before cron deletes it.
 */
export async function muteAccount(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  target: AccountId,
  { hideNotifications, durationSeconds }: MuteOptions,
): Promise<void> {
  const pair = await findRelationshipPair(ctx, viewer, target)
  if (pair.id === viewer.id) return
  const now = ctx.clock.now()
  const expiresAt = durationSeconds === 0 ? null : new Date(now.getTime() + durationSeconds * 1000)
  const changes = new Changes().add(
    // An expired mute is deleted first, so that the new one is the newest of the list.
    ctx.db.delete(mutes).where(and(isMute(viewer.id, target), lte(mutes.expiresAt, now))),
    ctx.db
      .insert(mutes)
      .values({
        id: ctx.ids.next(),
        accountId: viewer.id,
        targetAccountId: target,
        hideNotifications,
        expiresAt,
        createdAt: now,
      })
      .onConflictDoUpdate({
        target: [mutes.accountId, mutes.targetAccountId],
        set: { hideNotifications, expiresAt },
      }),
  )
  if (hideNotifications)
    changes.add(
      deleteNotificationsFrom(ctx, viewer.id, target),
      deleteConversationsWith(ctx, viewer.id, target),
    )
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: viewer.id }))
}

export async function unmuteAccount(ctx: Ctx, viewer: Pick<Viewer, 'id'>, target: AccountId): Promise<void> {
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes().add(ctx.db.delete(mutes).where(isMute(viewer.id, target)))
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: viewer.id }))
}

/** Cron: deletes expired mutes. Publishes nothing: stream connections cache each expiry. */
export async function expireMutes(ctx: Ctx): Promise<void> {
  const over = sql`${mutes.expiresAt} is not null and ${mutes.expiresAt} <= ${ctx.clock.now().getTime()}`
  await commit(ctx, new Changes().add(ctx.db.delete(mutes).where(over)))
}

function isMute(viewer: AccountId, target: AccountId) {
  return and(eq(mutes.accountId, viewer), eq(mutes.targetAccountId, target))
}
