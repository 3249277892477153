import { eq } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { collections } from '../../db/schema'
import { Forbidden, NotFound } from '../../errors'
import type { CollectionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { type CollectionPatch, checkedCollection } from './draft'
import { type CollectionRow, visibleCollection } from './find'
import { localMembersOf, memberIdsOf } from './find-federated'
import { deleteCollectionNotifications, notifyMembers } from './notifications'

/** The viewer's own collection. `NotFound` for one they may not see, `Forbidden` for another account's. */
export function requireOwnCollection(viewer: Viewer, found: CollectionRow | null): CollectionRow {
  if (found === null) throw new NotFound()
  if (found.accountId !== viewer.id) throw new Forbidden()
  return found
}

/** Updates the properties of a viewer's collection; its members stay and are notified. */
export async function updateCollection(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: CollectionId; readonly patch: CollectionPatch },
): Promise<void> {
  const { found, members } = await execute(
    ctx.db,
    combineQueries({
      found: visibleCollection(ctx, viewerById(viewer.id), id),
      members: localMembersOf(ctx, id),
    }),
  )
  const before = requireOwnCollection(viewer, found)
  const after = checkedCollection(patch)
  const set = { ...after, updatedAt: ctx.clock.now() }
  const changes = new Changes()
    .add(ctx.db.update(collections).set(set).where(eq(collections.id, id)))
    .emit({ kind: 'collection.updated', accountId: viewer.id, collectionId: id })
  notifyMembers(ctx, changes, [{ before, after, members }])
  await commit(ctx, changes)
}

/** Deletes a collection of the viewer with its memberships. */
export async function deleteCollection(ctx: Ctx, viewer: Viewer, id: CollectionId): Promise<void> {
  const { found, memberIds } = await execute(
    ctx.db,
    combineQueries({
      found: visibleCollection(ctx, viewerById(viewer.id), id),
      memberIds: memberIdsOf(ctx, id),
    }),
  )
  const { discoverable } = requireOwnCollection(viewer, found)
  await commit(
    ctx,
    new Changes()
      .add(
        ...deleteCollectionNotifications(ctx, [id]),
        ctx.db.delete(collections).where(eq(collections.id, id)),
      )
      .emit({
        kind: 'collection.deleted',
        accountId: viewer.id,
        collectionId: id,
        memberIds: [...memberIds],
        discoverable,
      }),
  )
}
