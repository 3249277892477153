import { eq } from 'drizzle-orm'
import { ask, together } from '../../db/query'
import { collectionItems, collections } from '../../db/schema'
import { Forbidden, NotFound } from '../../errors'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { refById, type Viewer } from '../core/viewer'
import { owned } from './change'
import { candidates, collectionFor, type ItemRow, itemIn } from './find'
import { featuringWithId } from './find-federated'
import { addItems, planItems } from './members'
import { forgetItemNotice } from './notices'

/**
 * Puts somebody into a collection of the viewer's. People of other servers have to be asked first.
 *
 * `Invalid` for whoever does not want to be featured, took their consent back, or is in it already.
 */
export async function addToCollection(
  ctx: Ctx,
  viewer: Viewer,
  { collectionId, accountId }: { readonly collectionId: CollectionId; readonly accountId: AccountId },
): Promise<CollectionItemId> {
  const found = await ask(
    ctx.db,
    together({
      collection: collectionFor(ctx, refById(viewer.id), collectionId),
      candidates: candidates(ctx, viewer.id, [accountId]),
    }),
  )
  owned(viewer, found.collection)
  const changes = new Changes()
  const [id] = addItems(ctx, changes, {
    ...{ collectionId, ownerId: viewer.id, isNew: false },
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

/** Takes somebody out of a collection of the viewer's. */
export async function removeFromCollection(ctx: Ctx, viewer: Viewer, key: ItemKey): Promise<void> {
  const { collection, item } = await ask(
    ctx.db,
    together({
      collection: collectionFor(ctx, refById(viewer.id), key.collectionId),
      item: itemIn(ctx, key),
    }),
  )
  owned(viewer, collection)
  // Those who took back their consent are out already, and stay known as such.
  if (item === null || item.state === 'rejected' || item.state === 'revoked') throw new NotFound()
  const changes = new Changes().add(
    forgetItemNotice(ctx, item.id),
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
 * Takes the viewer out of a collection for good: its owner cannot put them in again.
 *
 * Whoever blocks them cannot keep them in either, so that the collection need not be visible. `Forbidden` for an item
 * that is not about the viewer.
 */
export async function revokeFromCollection(ctx: Ctx, viewer: Viewer, key: ItemKey): Promise<void> {
  const { featuring, collection } = await ask(
    ctx.db,
    together({
      featuring: featuringWithId(ctx, key.id),
      collection: collectionFor(ctx, refById(viewer.id), key.collectionId),
    }),
  )
  const item = featuring?.item.collectionId === key.collectionId ? featuring.item : null
  if (featuring === null || item === null || item.state === 'rejected') throw new NotFound()
  if (item.accountId !== viewer.id) throw collection === null ? new NotFound() : new Forbidden()
  if (item.state === 'revoked') return
  const { ownerId, collectionUri } = featuring
  const changes = new Changes().add(
    forgetItemNotice(ctx, item.id),
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
