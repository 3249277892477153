import { eq } from 'drizzle-orm'
import { ask, together } from '../../db/query'
import { collections } from '../../db/schema'
import { Forbidden, NotFound } from '../../errors'
import type { CollectionId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { refById, type Viewer } from '../core/viewer'
import { type CollectionPatch, checkedCollection } from './draft'
import { type CollectionRow, collectionFor } from './find'
import { membersIn, ownPeopleIn } from './find-federated'
import { forgetCollectionNotices, tellMembers } from './notices'

/** The viewer's own collection. `NotFound` for one they may not know of, `Forbidden` for somebody else's. */
export function owned(viewer: Viewer, found: CollectionRow | null): CollectionRow {
  if (found === null) throw new NotFound()
  if (found.accountId !== viewer.id) throw new Forbidden()
  return found
}

/** Changes what a collection of the viewer's says of itself; who is in it stays, and is told. */
export async function updateCollection(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: CollectionId; readonly patch: CollectionPatch },
): Promise<void> {
  const { found, members } = await ask(
    ctx.db,
    together({ found: collectionFor(ctx, refById(viewer.id), id), members: ownPeopleIn(ctx, id) }),
  )
  const before = owned(viewer, found)
  const after = checkedCollection(patch)
  const set = { ...after, updatedAt: ctx.clock.now() }
  const changes = new Changes()
    .add(ctx.db.update(collections).set(set).where(eq(collections.id, id)))
    .emit({ kind: 'collection.updated', accountId: viewer.id, collectionId: id })
  tellMembers(ctx, changes, { before, after, members })
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
    new Changes()
      .add(...forgetCollectionNotices(ctx, id), ctx.db.delete(collections).where(eq(collections.id, id)))
      .emit({
        ...{ kind: 'collection.deleted', accountId: viewer.id, collectionId: id },
        ...{ memberIds: [...memberIds], discoverable },
      }),
  )
}
