import { and, eq, lte, sql } from 'drizzle-orm'
import { notificationTypes } from '../../contract/notification-kinds'
import { combineQueries, execute, inList } from '../../db/query'
import { blocks, mutes, notifications } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { removeFromEachOthersCollections } from '../collections/members'
import { deleteConversationsWith } from '../conversations/entries'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import { deduplicateActivity, tombstoneActivity, wasReceived } from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { findRelationshipPair, type RelationshipPair, relationshipPair } from './find'
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

/** A statement that deletes all notifications of `owner` caused by `from`. */
function deleteNotificationsFrom(ctx: Ctx, owner: AccountId, from: AccountId) {
  // Naming every type lets the index (from_account_id, type, account_id) find the few rows.
  return ctx.db.delete(notifications).where(
    sql`${notifications.accountId} = ${owner} and ${inList(notifications.type, notificationTypes)}
        and ${notifications.fromAccountId} = ${from}`,
  )
}
