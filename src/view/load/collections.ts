import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Ctx } from '../../context'
import { packed } from '../../db/packed'
import { map, type Query, rows } from '../../db/query'
import { accounts, collections } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { itemShown } from '../../domain/policy/collections'
import type { ViewerRef } from '../../domain/viewer'

export type CollectionCell = typeof collections.$inferSelect

export interface ItemFacts {
  readonly id: number
  readonly accountId: number
  readonly state: 'pending' | 'accepted'
  readonly createdAt: Date
}

/** A collection as its viewer is shown it. */
export interface CollectionFacts {
  readonly collection: CollectionCell
  readonly owner: { readonly username: string; readonly domain: string | null; readonly uri: string | null }
  readonly items: readonly ItemFacts[]
}

const collectionCell = packed(getTableColumns(collections))
const { username, domain, uri } = accounts
const ownerCell = packed({ username, domain, uri })

/** Other servers may list more than ours: what is shown ends here (FEP-7aa9). */
const mostItems = 150

/** The collections a selection names by rows (id, cursor), highest cursor first, with who is in them: one statement. */
export function loadCollections(ctx: Ctx, viewer: ViewerRef, selection: SQL): Query<CollectionFacts[]> {
  const page = sql`(with picked(id, cursor) as materialized (${selection})
    select id, cursor, ${viewer.id} as viewer_id from picked) as page`
  const found = rows(
    ctx.db
      .select({
        collection: collectionCell.as('collection'),
        owner: ownerCell.as('owner'),
        items: itemCells('page.viewer_id').mapWith(readItems).as('items'),
      })
      .from(page)
      // A cross join keeps its order.
      .crossJoin(collections)
      .crossJoin(accounts)
      .where(sql`${collections.id} = page.id and ${accounts.id} = ${collections.accountId}`)
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (list) => [...list])
}

/** Who is in the collection that the statement around reads, as the viewer is shown it: one cell. */
export function itemCells(viewer: string): SQL {
  return sql`(select json_group_array(json_array(i.id, i.account_id, i.state, i.created_at)) from (
    select i.* from (select collections.id as id, collections.account_id as account_id) c
      cross join collection_items i cross join accounts target
    where i.collection_id = c.id and target.id = i.account_id and ${itemShown(viewer)}
    order by i.id ${limitTo(mostItems)}) i)`
}

const Items = z.array(z.tuple([z.number(), z.number(), z.enum(['pending', 'accepted']), z.number()]))

export function readItems(cell: unknown): ItemFacts[] {
  const items = Items.parse(JSON.parse(String(cell)))
  return items.map(([id, accountId, state, createdAt]) => ({
    ...{ id, accountId, state },
    createdAt: new Date(createdAt),
  }))
}
