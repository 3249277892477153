import { and, eq } from 'drizzle-orm'
import { conversations } from '../../db/schema'
import { NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'

/** Marks a conversation of the viewer as read or unread. `NotFound` for another account's. */
export async function markConversation(
  ctx: Ctx,
  viewer: Viewer,
  { id, unread }: { readonly id: StatusId; readonly unread: boolean },
): Promise<void> {
  const own = isOwn(viewer, id)
  await change(ctx, new Changes().add(ctx.db.update(conversations).set({ unread }).where(own)))
}

/** Removes a conversation from the viewer's list. Its statuses stay; the next one starts it again. */
export async function removeConversation(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  await change(ctx, new Changes().add(ctx.db.delete(conversations).where(isOwn(viewer, id))))
}

async function change(ctx: Ctx, changes: Changes): Promise<void> {
  const [changed = 0] = await commit(ctx, changes)
  if (changed === 0) throw new NotFound()
}

function isOwn(viewer: Viewer, id: StatusId) {
  return and(eq(conversations.accountId, viewer.id), eq(conversations.id, id))
}
