import { eq } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { collectionItems, collections } from '../../db/schema'
import { Forbidden, NotFound } from '../../errors'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { requireOwnCollection } from './change'
import { findCandidates, type ItemRow, itemIn, visibleCollection } from './find'
import { itemWithCollection } from './find-federated'
import { addItems, planItems } from './members'
import { deleteItemNotification } from './notifications'

/**
 * Adds an account to a collection of the viewer. Remote accounts have to be asked first.
 *
 * `Invalid` for an account that does not want to be featured, revoked its consent, or is a member already.
 */
export async function addToCollection(
  ctx: Ctx,
  viewer: Viewer,
  { collectionId, accountId }: { readonly collectionId: CollectionId; readonly accountId: AccountId },
): Promise<CollectionItemId> {
  const found = await execute(
    ctx.db,
    combineQueries({
      collection: visibleCollection(ctx, viewerById(viewer.id), collectionId),
      candidates: findCandidates(ctx, viewer.id, [accountId]),
    }),
  )
  requireOwnCollection(viewer, found.collection)
  const changes = new Changes()
  const [id] = addItems(ctx, changes, {
    collectionId,
    ownerId: viewer.id,
    isNew: false,
    items: planItems(viewer.id, [accountId], found.candidates),
  })
  if (id === undefined) throw new NotFound()
  changes.add(touch(ctx, collectionId))
  await commit(ctx, changes)
  return id
}

interface ItemKey {
  readonly collectionId: CollectionId
  readonly id: CollectionItemId
}

/** Removes an account from a collection of the viewer. */
export async function removeFromCollection(ctx: Ctx, viewer: Viewer, key: ItemKey): Promise<void> {
  const { collection, item } = await execute(
    ctx.db,
    combineQueries({
      collection: visibleCollection(ctx, viewerById(viewer.id), key.collectionId),
      item: itemIn(ctx, key),
    }),
  )
  requireOwnCollection(viewer, collection)
  // Revoked members are removed already; the row stays to remember it.
  if (item === null || item.state === 'rejected' || item.state === 'revoked') throw new NotFound()
  const changes = new Changes().add(
    deleteItemNotification(ctx, item.id),
    ctx.db.delete(collectionItems).where(eq(collectionItems.id, item.id)),
    touch(ctx, key.collectionId),
  )
  if (item.state === 'accepted') changes.emit(memberLeft(viewer.id, item))
  await commit(ctx, changes)
}

function memberLeft(accountId: AccountId, { id: itemId, collectionId, accountId: memberId }: ItemRow) {
  return { kind: 'collection.left' as const, accountId, collectionId, itemId, memberId }
}

/**
 * Removes the viewer from a collection for good: its owner cannot add them again.
 *
 * The collection need not be visible, so that an owner who blocks a member cannot keep them in it. `Forbidden` for an
 * item about another account.
 */
export async function revokeFromCollection(ctx: Ctx, viewer: Viewer, key: ItemKey): Promise<void> {
  const { featuring, collection } = await execute(
    ctx.db,
    combineQueries({
      featuring: itemWithCollection(ctx, key.id),
      collection: visibleCollection(ctx, viewerById(viewer.id), key.collectionId),
    }),
  )
  const item = featuring?.item.collectionId === key.collectionId ? featuring.item : null
  if (featuring === null || item === null || item.state === 'rejected') throw new NotFound()
  if (item.accountId !== viewer.id) throw collection === null ? new NotFound() : new Forbidden()
  if (item.state === 'revoked') return
  const { ownerId, collectionUri } = featuring
  const changes = new Changes().add(
    deleteItemNotification(ctx, item.id),
    ctx.db.update(collectionItems).set({ state: 'revoked' }).where(eq(collectionItems.id, item.id)),
    touch(ctx, key.collectionId),
  )
  if (collectionUri !== null)
    changes.emit({ kind: 'feature.revoked', accountId: viewer.id, ownerId, collectionUri, itemId: item.id })
  else if (item.state === 'accepted') changes.emit(memberLeft(ownerId, item))
  await commit(ctx, changes)
}

function touch(ctx: Ctx, id: CollectionId) {
  return ctx.db.update(collections).set({ updatedAt: ctx.clock.now() }).where(eq(collections.id, id))
}
