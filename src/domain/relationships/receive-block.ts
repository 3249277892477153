import { and, eq } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { blocks } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import { deduplicateActivity, tombstoneActivity, wasReceived } from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { deleteNotificationsFrom } from './delete-notifications'
import { relationshipPair } from './find'
import { dropFollow, dropFollowRequest, followRemoved } from './follow-rows'

/** A Block or its Undo: the local target, its own id, and that of the undone Block. */
export interface ReceivedBlock {
  readonly username: string
  readonly uri: string | null
  readonly blockUri?: string | null
}

/**
 * Handles a block of a local account by a remote one: follows and requests end both ways, and the rules of every
 * block hide each from the other. Emits `follow.removed` for each follow that existed.
 */
export async function receiveBlock(
  ctx: Ctx,
  blocker: Pick<Viewer, 'id'>,
  blocking: ReceivedBlock,
): Promise<Outcome> {
  const { uri } = blocking
  const { pair, before } = await gather(ctx, blocker, blocking)
  if (before) return ignored('received before')
  if (pair === null) return ignored('the target of the block is unknown')
  const there = { from: blocker.id, to: pair.id }
  const back = { from: pair.id, to: blocker.id }
  const changes = new Changes().add(
    ctx.db
      .insert(blocks)
      .values({
        id: ctx.ids.next(),
        createdAt: ctx.clock.now(),
        uri,
        accountId: blocker.id,
        targetAccountId: pair.id,
      })
      .onConflictDoUpdate({ target: [blocks.accountId, blocks.targetAccountId], set: { uri } }),
  )
  deduplicateActivity(ctx, changes, uri)
  for (const tie of [there, back]) {
    dropFollow(ctx, changes, tie)
    dropFollowRequest(ctx, changes, tie)
  }
  // Earlier notifications by the blocker are hidden from the blocked account.
  changes.add(deleteNotificationsFrom(ctx, pair.id, blocker.id))
  const { follows, followedBy } = pair.ties
  if (follows !== null) changes.emit(followRemoved(there, follows, blocker.id))
  if (followedBy !== null) changes.emit(followRemoved(back, followedBy, blocker.id))
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: pair.id }))
  return done
}

/** Handles the Undo of a block. Deleted relations do not return; a Block that arrives later has no effect. */
export async function receiveUnblock(
  ctx: Ctx,
  blocker: Pick<Viewer, 'id'>,
  blocking: ReceivedBlock,
): Promise<Outcome> {
  const { uri, blockUri = null } = blocking
  const { pair, before } = await gather(ctx, blocker, blocking)
  if (before) return ignored('received before')
  if (pair === null) return ignored('the target of the unblock is unknown')
  const changes = new Changes().add(
    ctx.db.delete(blocks).where(and(eq(blocks.accountId, blocker.id), eq(blocks.targetAccountId, pair.id))),
  )
  deduplicateActivity(ctx, changes, uri)
  tombstoneActivity(ctx, changes, [blockUri])
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: pair.id }))
  return done
}

function gather(ctx: Ctx, blocker: Pick<Viewer, 'id'>, { username, uri }: ReceivedBlock) {
  return execute(
    ctx.db,
    combineQueries({
      pair: relationshipPair(ctx, blocker.id, idByHandle({ username, domain: null })),
      before: wasReceived(ctx, uri),
    }),
  )
}
