import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { execute, inList, map, type Query, rows } from '../../db/query'
import { collectionEvidence, collections } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId, CollectionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { CollectionRow } from '../collections/find'
import { localMembersOfAll, memberIdsOfAll } from '../collections/find-federated'
import { deleteCollectionNotifications, notifyMembers } from '../collections/members'
import type { Changes } from '../core/changes'
import { forbid } from '../statuses/remove'
import type { ModeratedAccount } from './find-target'

/** The collections among `ids` that are of an account, regardless of visibility. One statement. */
export function collectionsAmong(
  ctx: Ctx,
  { by, ids }: { readonly by: AccountId; readonly ids: readonly CollectionId[] },
): Query<readonly CollectionRow[]> {
  return rows(
    ctx.db
      .select(getTableColumns(collections))
      .from(collections)
      .where(sql`${inList(collections.id, ids)} and ${collections.accountId} = ${by}`),
  )
}

/** The collections of a strike that were not sensitive before it. One statement. */
export function findUnmarkableCollections(ctx: Ctx, strikeId: number): Query<readonly CollectionId[]> {
  const { collectionId, snapshot } = collectionEvidence
  const found = rows(
    ctx.db
      .select({ id: collectionId })
      .from(collectionEvidence)
      .where(sql`${collectionEvidence.strikeId} = ${strikeId} and ${snapshot} ->> '$.sensitive' = 0`),
  )
  return map(found, (some) => some.map(({ id }) => id))
}

/**
 * Adds the deletion of collections of an account, for good: a remote one is not stored again. One round trip to read.
 * Fails as a `Conflict` where one of them is deleted meanwhile.
 */
export async function addCollectionDeletions(
  ctx: Ctx,
  changes: Changes,
  { target, found }: { readonly target: ModeratedAccount; readonly found: readonly CollectionRow[] },
): Promise<void> {
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  const members = await execute(ctx.db, memberIdsOfAll(ctx, ids))
  const uris = found.flatMap(({ uri }) => uri ?? [])
  requireAll(changes, ids, sql`true`)
  changes.add(...deleteCollectionNotifications(ctx, ids))
  for (const { id, uri, discoverable } of found)
    if (uri === null)
      changes.emit({
        kind: 'collection.deleted',
        accountId: target.id,
        collectionId: id,
        memberIds: [...(members.get(id) ?? [])],
        discoverable,
      })
  changes.add(ctx.db.delete(collections).where(inList(collections.id, ids)))
  if (uris.length > 0) changes.add(forbid(ctx, uris))
}

/**
 * Adds that collections of an account are sensitive, or are not. A local one is published again and its members are
 * notified; of a remote one only the copy here changes. One round trip to read. Fails as a `Conflict` where one of them
 * changes meanwhile.
 */
export async function addCollectionMarks(
  ctx: Ctx,
  changes: Changes,
  { found, sensitive }: { readonly found: readonly CollectionRow[]; readonly sensitive: boolean },
): Promise<void> {
  const changing = found.filter((collection) => collection.sensitive !== sensitive)
  if (changing.length === 0) return
  const ids = changing.map(({ id }) => id)
  const members = await execute(ctx.db, localMembersOfAll(ctx, ids))
  requireAll(changes, ids, sql`sensitive = ${sensitive ? 0 : 1}`)
  changes.add(
    ctx.db
      .update(collections)
      .set({ sensitive, updatedAt: ctx.clock.now() })
      .where(inList(collections.id, ids)),
  )
  const local = changing.filter(({ uri }) => uri === null)
  for (const { id, accountId } of local)
    changes.emit({ kind: 'collection.updated', accountId, collectionId: id })
  notifyMembers(
    ctx,
    changes,
    local.map((before) => ({ before, after: { sensitive }, members: members.get(before.id) ?? [] })),
  )
}

function requireAll(changes: Changes, ids: readonly CollectionId[], condition: SQL): void {
  changes.require(
    sql`(select count(*) from collections where ${inList(sql`id`, ids)} and ${condition}) = ${ids.length}`,
    new Conflict('collection_changed'),
  )
}
