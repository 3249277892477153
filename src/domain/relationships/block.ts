import { and, eq } from 'drizzle-orm'
import { blocks } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { removeFromEachOthersCollections } from '../collections/remove-from-each-other'
import { deleteConversationsWith } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { deleteNotificationsFrom } from './delete-notifications'
import { findRelationshipPair, type RelationshipPair } from './find'
import { dropFollow, dropFollowRequest, followRejected, followRemoved, followWithdrawn } from './follow-rows'

/**
 * Blocks `target` for `viewer`: deletes follows, requests and endorsements both ways, the target's notifications,
 * and conversations with it. Blocking oneself does nothing. Emits `follow.removed` for each follow that existed,
 * and the events that the server of the target needs.
 */
export async function blockAccount(ctx: Ctx, viewer: Pick<Viewer, 'id'>, target: AccountId): Promise<void> {
  const pair = await findRelationshipPair(ctx, viewer, target)
  if (pair.id === viewer.id) return
  const there = { from: viewer.id, to: target }
  const back = { from: target, to: viewer.id }
  const blockId = ctx.ids.next()
  const changes = new Changes().add(
    ctx.db
      .insert(blocks)
      .values({
        id: blockId,
        createdAt: ctx.clock.now(),
        accountId: viewer.id,
        targetAccountId: target,
      })
      .onConflictDoNothing({ target: [blocks.accountId, blocks.targetAccountId] }),
  )
  for (const tie of [there, back]) {
    // Not only the rows found: a follow may have been created since.
    dropFollow(ctx, changes, tie)
    dropFollowRequest(ctx, changes, tie)
  }
  changes.add(
    deleteNotificationsFrom(ctx, viewer.id, target),
    deleteConversationsWith(ctx, viewer.id, target),
  )
  changes.add(...removeFromEachOthersCollections(ctx, viewer.id, target))
  const { ties, domain } = pair
  if (ties.follows !== null) changes.emit(followRemoved(there, ties.follows, viewer.id))
  if (ties.followedBy !== null) changes.emit(followRemoved(back, ties.followedBy, viewer.id))
  if (domain !== null) {
    if (ties.requested !== null) changes.emit(followWithdrawn(there, ties.requested, viewer.id))
    if (ties.requestedBy !== null) changes.emit(followRejected(back, ties.requestedBy, viewer.id))
    if (ties.blockId === null)
      changes.emit({ kind: 'block.created', accountId: viewer.id, targetAccountId: target, blockId })
  }
  publishToBoth(changes, viewer.id, pair)
  await commit(ctx, changes)
}

/** Removes a block. Deleted relations do not return. */
export async function unblockAccount(ctx: Ctx, viewer: Pick<Viewer, 'id'>, target: AccountId): Promise<void> {
  const pair = await findRelationshipPair(ctx, viewer, target)
  const { domain, ties } = pair
  const changes = new Changes().add(
    ctx.db.delete(blocks).where(and(eq(blocks.accountId, viewer.id), eq(blocks.targetAccountId, target))),
  )
  const { blockId } = ties
  if (domain !== null && blockId !== null)
    changes.emit({ kind: 'block.removed', accountId: viewer.id, targetAccountId: target, blockId })
  publishToBoth(changes, viewer.id, pair)
  await commit(ctx, changes)
}

/** A block applies both ways: neither account receives the other's statuses. */
function publishToBoth(
  changes: Changes,
  viewerId: AccountId,
  { id, domain }: Pick<RelationshipPair, 'id' | 'domain'>,
): void {
  changes.publish({ kind: 'rules.changed', accountId: viewerId })
  if (domain === null) changes.publish({ kind: 'rules.changed', accountId: id })
}
