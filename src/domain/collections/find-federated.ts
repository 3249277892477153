import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { combineQueries, first, inList, map, type Query, rows } from '../../db/query'
import { collectionItems, collections } from '../../db/schema'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { type CollectionRow, type FeatureCandidate, findCandidatesAmong, type ItemRow } from './find'

/** An item with the collection it is in. */
export interface ItemWithCollection {
  readonly item: ItemRow
  readonly ownerId: AccountId
  /** Null for a local collection. */
  readonly collectionUri: string | null
  readonly discoverable: boolean
}

/** The item with this id. One statement. */
export function itemWithCollection(ctx: Ctx, id: CollectionItemId): Query<ItemWithCollection | null> {
  return findItemWhere(ctx, eq(collectionItems.id, id))
}

/** The item of `account` with this authorization URI on a remote server. One statement. */
export function itemByAuthorization(
  ctx: Ctx,
  account: AccountId,
  uri: string,
): Query<ItemWithCollection | null> {
  return findItemWhere(
    ctx,
    sql`${eq(collectionItems.accountId, account)} and ${eq(collectionItems.authorizationUri, uri)}`,
  )
}

function findItemWhere(ctx: Ctx, condition: SQL): Query<ItemWithCollection | null> {
  const found = first(
    ctx.db
      .select({
        ...getTableColumns(collectionItems),
        ownerId: sql<AccountId>`c.account_id`.as('owner_id'),
        collectionUri: sql<string | null>`c.uri`.as('collection_uri'),
        discoverable: sql<number>`c.discoverable`.as('discoverable'),
      })
      .from(collectionItems)
      .innerJoin(sql`collections c`, sql`c.id = ${collectionItems.collectionId}`)
      .where(condition)
      .limit(1),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { ownerId, collectionUri, discoverable, ...item } = row
    return { item, ownerId, collectionUri, discoverable: discoverable === 1 }
  })
}

/** A remote collection by its URI. One statement. */
export function collectionByUri(ctx: Ctx, uri: string): Query<CollectionRow | null> {
  return first(ctx.db.select(getTableColumns(collections)).from(collections).where(eq(collections.uri, uri)))
}

export interface RequestFacts {
  /** The account to be featured, as seen by the requester. */
  readonly candidate: FeatureCandidate | null
  readonly collection: CollectionRow | null
  readonly item: ItemRow | null
}

/**
 * Facts that decide the answer to a request of `asker` to feature the local `username` in a collection. Three
 * statements.
 */
export function requestFacts(
  ctx: Ctx,
  asker: AccountId,
  { username, collectionUri }: { readonly username: string; readonly collectionUri: string },
): Query<RequestFacts> {
  const target = idByHandle({ username, domain: null })
  const item = first(
    ctx.db
      .select(getTableColumns(collectionItems))
      .from(collectionItems)
      .where(sql`${collectionItems.accountId} = ${target} and ${collectionItems.collectionId} =
        (select c.id from collections c where c.uri = ${collectionUri})`),
  )
  const candidates = findCandidatesAmong(ctx, asker, sql`select ${target} as id`)
  return combineQueries({
    candidate: map(candidates, ([found]) => found ?? null),
    collection: collectionByUri(ctx, collectionUri),
    item,
  })
}

/** Local members of the collection that `id` names. One statement. */
export function localMembersOf(ctx: Ctx, id: CollectionId | SQL): Query<readonly AccountId[]> {
  const found = rows(
    ctx.db
      .select({ accountId: sql<AccountId>`a.id`.as('id') })
      .from(sql`collection_items i cross join accounts a`)
      .where(
        sql`i.collection_id = ${id} and i.state = 'accepted' and a.id = i.account_id and a.domain is null`,
      ),
  )
  return map(found, (list) => list.map(({ accountId }) => accountId))
}

/** Local members of each of some collections. One statement. */
export function localMembersOfAll(ctx: Ctx, ids: readonly CollectionId[]): Query<MembersByCollection> {
  return map(
    rows(
      ctx.db
        .select({
          collectionId: sql<CollectionId>`i.collection_id`.as('collection_id'),
          accountId: sql<AccountId>`a.id`.as('id'),
        })
        .from(sql`collection_items i cross join accounts a`)
        .where(
          sql`${inList(sql`i.collection_id`, ids)} and i.state = 'accepted' and a.id = i.account_id
            and a.domain is null`,
        ),
    ),
    byCollection,
  )
}

/** Members of each of some collections, pending ones included. One statement. */
export function memberIdsOfAll(ctx: Ctx, ids: readonly CollectionId[]): Query<MembersByCollection> {
  const { collectionId, accountId, state } = collectionItems
  return map(
    rows(
      ctx.db
        .select({ collectionId, accountId })
        .from(collectionItems)
        .where(sql`${inList(collectionId, ids)} and ${state} in ('accepted', 'pending')`),
    ),
    byCollection,
  )
}

type MembersByCollection = ReadonlyMap<CollectionId, readonly AccountId[]>

function byCollection(
  found: readonly { readonly collectionId: CollectionId; readonly accountId: AccountId }[],
): MembersByCollection {
  const members = new Map<CollectionId, AccountId[]>()
  for (const { collectionId, accountId } of found)
    members.set(collectionId, [...(members.get(collectionId) ?? []), accountId])
  return members
}

/** Members of a collection, pending ones included. One statement. */
export function memberIdsOf(ctx: Ctx, id: CollectionId): Query<readonly AccountId[]> {
  const found = rows(
    ctx.db
      .select({ accountId: collectionItems.accountId })
      .from(collectionItems)
      .where(
        sql`${collectionItems.collectionId} = ${id} and ${collectionItems.state} in ('accepted', 'pending')`,
      ),
  )
  return map(found, (list) => list.map(({ accountId }) => accountId))
}
