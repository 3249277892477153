import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { jsonRow } from '../../db/json-row'
import { map, type Query, rows } from '../../db/query'
import { accounts, collections } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import { itemVisibleTo } from '../../domain/policy/collections'
import type { Ctx } from '../../ports/ctx'

/** An item of a collection, as federated. */
export interface FeaturedItemFacts {
  readonly id: number
  readonly createdAt: Date
  readonly username: string
  /** Null for local accounts. */
  readonly uri: string | null
  readonly actorType: string
  /** URI of a remote account's consent; consents of local accounts are identified by the item id. */
  readonly authorizationUri: string | null
}

/** A local collection, as federated. */
export interface FeaturedCollectionFacts {
  readonly collection: typeof collections.$inferSelect
  readonly ownerName: string
  readonly items: readonly FeaturedItemFacts[]
}

const collectionCell = jsonRow(getTableColumns(collections))

/** Loads the local collections a selection names by rows (id, cursor), with accepted items: one statement. */
export function loadFeatured(ctx: Ctx, viewer: ViewerRef, selection: SQL): Query<FeaturedCollectionFacts[]> {
  const page = sql`(with picked(id, cursor) as materialized (${selection})
    select id, cursor, ${viewer.id} as viewer_id from picked) as page`
  const found = rows(
    ctx.db
      .select({
        collection: collectionCell.as('collection'),
        ownerName: sql<string>`${accounts.username}`.as('owner_name'),
        items: itemCells.mapWith(readItems).as('items'),
      })
      .from(page)
      .crossJoin(collections)
      .crossJoin(accounts)
      .where(
        sql`${collections.id} = page.id and ${collections.uri} is null and ${accounts.id} = ${collections.accountId}`,
      )
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (list) => [...list])
}

const itemCells = sql`(select json_group_array(json_array(
    i.id, i.created_at, target.username, target.uri, target.actor_type, i.authorization_uri) order by i.id)
  from (select collections.id as id, collections.account_id as account_id) c
    cross join collection_items i cross join accounts target
  where i.collection_id = c.id and target.id = i.account_id and i.state = 'accepted'
    and ${itemVisibleTo('page.viewer_id')})`

const Items = z.array(
  z.tuple([z.number(), z.number(), z.string(), z.string().nullable(), z.string(), z.string().nullable()]),
)

function readItems(cell: unknown): FeaturedItemFacts[] {
  return Items.parse(JSON.parse(String(cell))).map(
    ([id, createdAt, username, uri, actorType, authorizationUri]) => ({
      id,
      createdAt: new Date(createdAt),
      username,
      uri,
      actorType,
      authorizationUri,
    }),
  )
}
