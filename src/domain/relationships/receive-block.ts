import { and, eq } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { blocks } from '../../db/schema'
import type { Ctx } from '../../platform/ports'
import { idByHandle } from '../accounts/find'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome } from '../core/outcome'
import { deduplicateActivity, tombstoneActivity, wasReceived } from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { deleteNotificationsFrom } from './delete-notifications'
import { relationshipPair } from './find'
import { dropFollow, dropFollowRequest, followRemoved } from './follow-rows'

/** Whom of this server a Block or its Undo is about, its own id, and that of the Block an Undo takes back. */
export interface ReceivedBlock {
  readonly username: string
  readonly uri: string | null
  readonly blockUri?: string | null
}

/**
 * Somebody of another server blocks one of ours: follows and requests end both ways, and each is hidden from the
 * other by the rules that hold for every block. Emits `follow.removed` for each follow that was there.
 */
export async function receiveBlock(
  ctx: Ctx,
  blocker: Pick<Viewer, 'id'>,
  blocking: ReceivedBlock,
): Promise<Outcome> {
  const { uri } = blocking
  const { pair, before } = await gather(ctx, blocker, blocking)
  if (before) return ignored('received before')
  if (pair === null) return ignored('nobody to block')
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
  // What the blocker did before is taken out of the sight of the blocked.
  changes.add(deleteNotificationsFrom(ctx, pair.id, blocker.id))
  const { follows, followedBy } = pair.ties
  if (follows !== null) changes.emit(followRemoved(there, follows, blocker.id))
  if (followedBy !== null) changes.emit(followRemoved(back, followedBy, blocker.id))
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: pair.id }))
  return done
}

/** They take the block back. What it removed does not return; the Block does nothing should it come later. */
export async function receiveUnblock(
  ctx: Ctx,
  blocker: Pick<Viewer, 'id'>,
  blocking: ReceivedBlock,
): Promise<Outcome> {
  const { uri, blockUri = null } = blocking
  const { pair, before } = await gather(ctx, blocker, blocking)
  if (before) return ignored('received before')
  if (pair === null) return ignored('nobody to unblock')
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
