import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { collections } from '../../db/schema'
import { Invalid } from '../../errors'
import type { AccountId, CollectionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { baseRole } from '../policy/permissions'
import { type CollectionPatch, checkedCollection } from './draft'
import { findCandidates } from './find'
import { addItems, planItems } from './members'

export interface NewCollection extends CollectionPatch {
  readonly accountIds: readonly AccountId[]
}

/**
 * Creates a collection of the viewer with its first members, all of whom have to consent.
 *
 * `Invalid` names every bad text, and is thrown when the viewer has as many collections as their role allows. Emits
 * `collection.created`, and `feature.requested` for remote accounts.
 */
export async function createCollection(
  ctx: Ctx,
  viewer: Viewer,
  draft: NewCollection,
): Promise<CollectionId> {
  const {
    name = '',
    description,
    language,
    tag,
    sensitive,
    discoverable,
  } = checkedCollection({
    ...draft,
    name: draft.name ?? '',
  })
  const found =
    draft.accountIds.length === 0
      ? []
      : await execute(ctx.db, findCandidates(ctx, viewer.id, draft.accountIds))
  const items = planItems(viewer.id, draft.accountIds, found)
  const now = ctx.clock.now()
  const id: CollectionId = ctx.ids.next()
  const allowed = sql`select roles.collection_limit from users
    join roles on roles.id = coalesce(users.role_id, ${sql.raw(String(baseRole))}) where users.account_id = ${viewer.id}`
  const changes = new Changes()
    .require(
      sql`(select count(*) from collections where account_id = ${viewer.id}) < (${allowed})`,
      new Invalid('too_many_collections'),
    )
    .add(
      ctx.db.insert(collections).values({
        id,
        accountId: viewer.id,
        name,
        description,
        language,
        tag,
        sensitive,
        discoverable,
        createdAt: now,
        updatedAt: now,
      }),
    )
  addItems(ctx, changes, { collectionId: id, ownerId: viewer.id, items, isNew: true })
  changes.emit({ kind: 'collection.created', accountId: viewer.id, collectionId: id })
  await commit(ctx, changes)
  return id
}
