import { and, eq } from 'drizzle-orm'
import { conversationMutes } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { findOriginalStatus } from '../statuses/find'

/** Mutes notifications from the conversation of the status `id` for the viewer. */
export async function muteConversation(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const { conversationId } = await findOriginalStatus(ctx, viewer, id)
  const changes = new Changes().add(
    ctx.db
      .insert(conversationMutes)
      .values({ accountId: viewer.id, conversationId })
      .onConflictDoNothing({ target: [conversationMutes.accountId, conversationMutes.conversationId] }),
  )
  await commit(ctx, changes)
}

/** Unmutes notifications from that conversation. */
export async function unmuteConversation(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const { conversationId } = await findOriginalStatus(ctx, viewer, id)
  const own = and(
    eq(conversationMutes.accountId, viewer.id),
    eq(conversationMutes.conversationId, conversationId),
  )
  await commit(ctx, new Changes().add(ctx.db.delete(conversationMutes).where(own)))
}
