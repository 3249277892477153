import { eq } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask, together } from '../../db/query'
import { collections } from '../../db/schema'
import { Forbidden, NotFound } from '../../errors'
import type { CollectionId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import { refById, type Viewer } from '../viewer'
import { type CollectionPatch, checkedCollection } from './draft'
import { type CollectionRow, collectionFor } from './find'
import { membersIn } from './find-federated'

/** The viewer's own collection with this id. `NotFound` for one they may not know of, `Forbidden` for somebody else's. */
async function ownCollection(ctx: Ctx, viewer: Viewer, id: CollectionId): Promise<CollectionRow> {
  return owned(viewer, await ask(ctx.db, collectionFor(ctx, refById(viewer.id), id)))
}

export function owned(viewer: Viewer, found: CollectionRow | null): CollectionRow {
  if (found === null) throw new NotFound()
  if (found.accountId !== viewer.id) throw new Forbidden()
  return found
}

/** Changes what a collection of the viewer's says of itself; who is in it stays. */
export async function updateCollection(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: CollectionId; readonly patch: CollectionPatch },
): Promise<void> {
  await ownCollection(ctx, viewer, id)
  const set = { ...checkedCollection(patch), updatedAt: ctx.clock.now() }
  const changes = new Changes()
    .add(ctx.db.update(collections).set(set).where(eq(collections.id, id)))
    .emit({ kind: 'collection.updated', accountId: viewer.id, collectionId: id })
  await commit(ctx, changes)
}

/** Deletes a collection of the viewer's; who was in it is in it no more. */
export async function deleteCollection(ctx: Ctx, viewer: Viewer, id: CollectionId): Promise<void> {
  const { found, memberIds } = await ask(
    ctx.db,
    together({ found: collectionFor(ctx, refById(viewer.id), id), memberIds: membersIn(ctx, id) }),
  )
  const { discoverable } = owned(viewer, found)
  await commit(
    ctx,
    new Changes().add(ctx.db.delete(collections).where(eq(collections.id, id))).emit({
      ...{ kind: 'collection.deleted', accountId: viewer.id, collectionId: id },
      ...{ memberIds: [...memberIds], discoverable },
    }),
  )
}
