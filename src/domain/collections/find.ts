import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { actorUri, collectionUri, readCollectionUri } from '../../contract/addresses'
import { first, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { collectionItems, collections } from '../../db/schema'
import type { FeaturePolicy } from '../../db/values'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { blockText } from '../policy/block-predicates'
import { featuredVisibleTo, itemVisibleTo } from '../policy/featuring'

export type CollectionRow = typeof collections.$inferSelect
export type ItemRow = typeof collectionItems.$inferSelect

/** The collection with this id, as a selection (id, cursor). Unlisted collections are visible by their address. */
export function selectCollection(viewer: ViewerRef, id: CollectionId): SQL {
  return sql`select c.id as id, 0 as cursor from collections c cross join accounts a
    where c.id = ${id} and a.id = c.account_id and ${featuredVisibleTo(viewer)}`
}

export interface OffsetPage {
  readonly limit: number
  readonly offset: number
}

/** Rows before a page are read as well, so the offset is bounded. */
const furthestOffset = 400

/** The collections of `owner`, newest first, as a selection (id, cursor); unlisted ones for themselves only. */
export function collectionsOf(viewer: ViewerRef, owner: AccountId | SQL, page: OffsetPage): SQL {
  const reach = page.offset > furthestOffset ? 0 : page.limit
  return sql`select c.id as id, c.id as cursor from collections c cross join accounts a
    where c.account_id = ${owner} and a.id = c.account_id and (c.discoverable = 1 or c.account_id = ${viewer.id})
      and ${featuredVisibleTo(viewer)}
    order by c.id desc ${limitTo(reach)} offset ${Math.min(page.offset, furthestOffset)}`
}

/** Collections the viewer is in, latest membership first, as a selection (id, cursor). */
export function collectionsWith(viewer: ViewerRef, page: OffsetPage): SQL {
  return sql`select c.id as id, i.id as cursor
    from collection_items i cross join collections c cross join accounts a
    where i.account_id = ${viewer.id} and i.state = 'accepted' and c.id = i.collection_id and a.id = c.account_id
      and a.suspended_at is null and ${isVisibleAccount('a')}
    order by i.id desc ${limitTo(page.limit)} offset ${page.offset}`
}

/** Owner and members of a collection, as a selection (id, cursor): the owner first. */
export function selectCollectionMembers(viewer: ViewerRef, id: CollectionId): SQL {
  return sql`with seen(id, account_id, viewer_id) as (
      select c.id, c.account_id, ${viewer.id} from collections c cross join accounts a
        where c.id = ${id} and a.id = c.account_id and ${featuredVisibleTo(viewer)})
    select seen.account_id as id, 0 as cursor from seen
    union all
    select target.id, -i.id from seen c cross join collection_items i cross join accounts target
      where i.collection_id = c.id and i.account_id <> c.account_id and target.id = i.account_id
        and ${itemVisibleTo('c.viewer_id')}`
}

/** A collection for an update by the viewer: null if they may not see it. */
export function visibleCollection(
  ctx: Ctx,
  viewer: ViewerRef,
  id: CollectionId,
): Query<CollectionRow | null> {
  return first(
    ctx.db
      .select(getTableColumns(collections))
      .from(collections)
      .where(sql`${collections.id} in (select id from (${selectCollection(viewer, id)}))`),
  )
}

/** The stored collections among `uris`, local or remote, in the order given. One statement. */
export function collectionIdsByUris(ctx: Ctx, uris: readonly string[]): Query<readonly CollectionId[]> {
  const references = uris.map((uri) => ({ uri, ...readCollectionUri(ctx.config.origin, uri) }))
  const found = rows(
    ctx.db
      .select({ id: sql<CollectionId>`c.id`.as('id') })
      .from(
        sql`${jsonRows(references)} cross join collections c cross join accounts a on a.id = c.account_id`,
      )
      .where(sql`c.uri = item.value ->> 'uri' or (c.id = item.value ->> 'id' and c.uri is null
        and a.domain is null and lower(a.username) = lower(item.value ->> 'username'))`)
      .orderBy(sql`item.key`),
  )
  return map(found, (all) => all.map(({ id }) => id))
}

/** An item of a collection, in any state. */
export function itemIn(
  ctx: Ctx,
  { collectionId, id }: { readonly collectionId: CollectionId; readonly id: CollectionItemId },
): Query<ItemRow | null> {
  return first(
    ctx.db
      .select(getTableColumns(collectionItems))
      .from(collectionItems)
      .where(sql`${eq(collectionItems.id, id)} and ${eq(collectionItems.collectionId, collectionId)}`),
  )
}

/** An account that may be put into a collection, with its relationship to the owner. */
export interface FeatureCandidate {
  readonly id: AccountId
  readonly domain: string | null
  readonly discoverable: boolean | null
  readonly featurePolicy: FeaturePolicy | null
  readonly followsTarget: boolean
  readonly followedByTarget: boolean
  /** Either account blocks the other, by account or by domain. */
  readonly isBlocked: boolean
}

/** The accounts among `ids` visible to the owner of a collection. One statement. */
export function findCandidates(
  ctx: Ctx,
  owner: AccountId,
  ids: readonly AccountId[],
): Query<FeatureCandidate[]> {
  return findCandidatesAmong(ctx, owner, sql`select item.value as id from ${jsonRows(ids)}`)
}

/** Like `findCandidates`, for a selection (id). */
export function findCandidatesAmong(ctx: Ctx, owner: AccountId, selection: SQL): Query<FeatureCandidate[]> {
  const holds = (condition: string) => sql<number>`${sql.raw(condition)}`
  const found = rows(
    ctx.db
      .select({
        id: sql<AccountId>`target.id`.as('id'),
        domain: sql<string | null>`target.domain`.as('domain'),
        discoverable: sql<number | null>`target.discoverable`.as('discoverable'),
        featurePolicy: sql`target.feature_policy`.mapWith(readPolicy).as('feature_policy'),
        follows: holds(`exists (select 1 from follows f
          where f.account_id = me.id and f.target_account_id = target.id)`).as('follows'),
        followed: holds(`exists (select 1 from follows f
          where f.account_id = target.id and f.target_account_id = me.id)`).as('followed'),
        blocked: holds(`${blockText.blocksEither('me.id', 'target.id')}
          or ${blockText.blocksDomain('me.id', 'target.domain')}
          or ${blockText.blocksDomain('target.id', 'me.domain')}`).as('blocked'),
      })
      .from(sql`(${selection}) picked cross join accounts target cross join accounts me`)
      .where(sql`target.id = picked.id and me.id = ${owner} and target.suspended_at is null
        and ${isVisibleAccount('target')}`),
  )
  return map(found, (list) =>
    list.map(({ follows, followed, blocked, discoverable, ...rest }) => ({
      ...rest,
      discoverable: discoverable === null ? null : discoverable === 1,
      followsTarget: follows === 1,
      followedByTarget: followed === 1,
      isBlocked: blocked === 1,
    })),
  )
}

/** Consent of a local account, readable by other servers. */
export interface FeatureAuthorization {
  readonly username: string
  /** URI of the collection consented to. */
  readonly collection: string
}

/** The consent of the local account `username` in the item `id`. One statement. */
export function findFeatureAuthorization(
  ctx: Ctx,
  { username, id }: { readonly username: string; readonly id: CollectionItemId },
): Query<FeatureAuthorization | null> {
  const { origin } = ctx.config
  const found = first(
    ctx.db
      .select({
        username: sql<string>`a.username`.as('username'),
        collectionId: sql<CollectionId>`c.id`.as('collection_id'),
        uri: sql<string | null>`c.uri`.as('uri'),
        ownerName: sql<string>`owner.username`.as('owner_name'),
      })
      .from(sql`collection_items i cross join accounts a cross join collections c cross join accounts owner`)
      .where(sql`i.id = ${id} and i.state = 'accepted' and a.id = i.account_id and a.domain is null
        and lower(a.username) = ${username.toLowerCase()} and a.suspended_at is null and ${isVisibleAccount('a')}
        and c.id = i.collection_id and owner.id = c.account_id`),
  )
  return map(found, (row) =>
    row === null
      ? null
      : {
          username: row.username,
          collection: row.uri ?? collectionUri(actorUri(origin, row.ownerName), row.collectionId),
        },
  )
}

function readPolicy(cell: string): FeaturePolicy | null {
  return JSON.parse(cell)
}
