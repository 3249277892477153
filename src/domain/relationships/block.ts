import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { blocks } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import type { Viewer } from '../viewer'
import { findPair } from './find'
import { dropFollow, dropFollowRequest, followRemoved } from './follow-rows'
import { forgetNoticesFrom } from './notices'

/**
 * Blocks `target` for `viewer`: follows, requests and endorsements go both ways, and what the target did goes
 * from the notifications. Blocking oneself does nothing. Emits `follow.removed` for each follow that was there.
 */
export async function blockAccount(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<void> {
  const pair = await findPair(ctx, viewer, target)
  if (pair.id === viewer.id) return
  const there = { from: viewer.id, to: target }
  const back = { from: target, to: viewer.id }
  const changes = new Changes().add(
    ctx.db
      .insert(blocks)
      .values({
        ...{ id: ctx.ids.next(), createdAt: ctx.clock.now() },
        ...{ accountId: viewer.id, targetAccountId: target },
      })
      .onConflictDoNothing({ target: [blocks.accountId, blocks.targetAccountId] }),
  )
  for (const tie of [there, back]) {
    // Not only what was found: a follow may have come in since.
    dropFollow(ctx, changes, tie)
    dropFollowRequest(ctx, changes, tie)
  }
  changes.add(forgetNoticesFrom(ctx, viewer.id, target))
  if (pair.follows) changes.emit(followRemoved(there))
  if (pair.followedBy) changes.emit(followRemoved(back))
  await commit(ctx, changes)
}

/** Takes a block back. What it removed does not return. */
export async function unblockAccount(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<void> {
  await findPair(ctx, viewer, target)
  const changes = new Changes().add(
    ctx.db.delete(blocks).where(and(eq(blocks.accountId, viewer.id), eq(blocks.targetAccountId, target))),
  )
  await commit(ctx, changes)
}
