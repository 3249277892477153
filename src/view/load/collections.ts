import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type JsonPart, listIn } from '../../db/json-row'
import { limitTo, map, type Query, rows } from '../../db/query'
import type { ViewerRef } from '../../domain/core/viewer'
import { featuredVisibleToMe, itemVisibleTo } from '../../domain/policy/featuring'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

export interface ItemFacts {
  readonly id: CollectionItemId
  readonly accountId: AccountId
  readonly state: 'pending' | 'accepted'
  readonly createdAt: Date
}

/** A collection as shown to its viewer. */
export interface CollectionFacts {
  readonly id: CollectionId
  readonly accountId: AccountId
  readonly ownerName: string
  /** Null for local collections, whose URIs follow from id and owner. */
  readonly uri: string | null
  readonly url: string | null
  readonly name: string
  readonly description: string
  readonly language: string | null
  readonly sensitive: boolean
  readonly discoverable: boolean
  readonly tag: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly items: readonly ItemFacts[]
}

/**
 * Loads the collections a selection names by rows (id, cursor), highest cursor first, with their items: one
 * statement.
 */
export function loadCollections(ctx: Ctx, viewer: ViewerRef, selection: SQL): Query<CollectionFacts[]> {
  const page = sql`(with picked(id, cursor) as materialized (${selection})
    select id, cursor, ${viewer.id} as viewer_id from picked) as page`
  const found = rows(
    ctx.db
      .select({ cell: collectionCell('page.viewer_id').mapWith(readCollection).as('cell') })
      // Cross joins keep their order.
      .from(sql`${page} cross join collections c cross join accounts a`)
      .where(sql`c.id = page.id and a.id = c.account_id`)
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (list) => list.map(({ cell }) => cell))
}

/**
 * Collections named by a JSON list of ids, as far as `me` may see them: part of a JSON column; null for an empty list.
 */
export function collectionsIn(list: string, me: string): JsonPart<CollectionFacts[] | null> {
  const named = sql`(select json_group_array(json(${collectionCell(me)}))
    from json_each(${sql.raw(list)}) item cross join collections c cross join accounts a
    where c.id = item.value and a.id = c.account_id and ${featuredVisibleToMe(me)})`
  return {
    cell: sql`case when ${sql.raw(list)} = '[]' then null else ${named} end`,
    read: readCollections,
  }
}

/** Maximum number of linked collections shown per page. Each may have 25 items, every one of which is read. */
export const maxOnPage = 4

/**
 * Collections linked by the statuses of a `page`, whose requests are bounded: a few for the whole page, as a part of the first status that links any.
 */
export const collectionsOnPage: JsonPart<CollectionFacts[] | null> = {
  cell: sql`case when statuses.linked_collections <> '[]' and statuses.id = (
    select shown.id from page shown cross join statuses linking
    where linking.id = shown.id and linking.linked_collections <> '[]' ${limitTo(1)}) then (
    select json_group_array(json(${collectionCell('linked.viewer_id')})) from (
      select distinct link.value as id, shown.viewer_id as viewer_id
        from page shown cross join statuses linking cross join json_each(linking.linked_collections) link
        where linking.id = shown.id and linking.linked_collections <> '[]' ${limitTo(maxOnPage)}) linked
      cross join collections c cross join accounts a
    where c.id = linked.id and a.id = c.account_id and ${featuredVisibleToMe('linked.viewer_id')}) end`,
  read: readCollections,
}

/** Part without collections. */
export const noCollections: JsonPart<CollectionFacts[] | null> = { cell: sql`null`, read: () => null }

function collectionCell(me: string): SQL {
  return sql`json_array(c.id, c.account_id, a.username, c.uri, c.url, c.name, c.description, c.language,
    c.sensitive, c.discoverable, c.tag, c.created_at, c.updated_at, json(${itemCells(me)}))`
}

function itemCells(me: string): SQL {
  return sql`(select json_group_array(json_array(i.id, i.account_id, i.state, i.created_at))
    from collection_items i cross join accounts target
    where i.collection_id = c.id and target.id = i.account_id and ${itemVisibleTo(me)})`
}

const At = z.number().transform((milliseconds) => new Date(milliseconds))
const Flagged = z.number().transform((bit) => bit === 1)
const Item = z.tuple([z.number(), z.number(), z.enum(['pending', 'accepted']), At])
const Cell = z
  .tuple([
    z.number(),
    z.number(),
    z.string(),
    z.string().nullable(),
    z.string().nullable(),
    z.string(),
    z.string(),
    z.string().nullable(),
    Flagged,
    Flagged,
    z.string().nullable(),
    At,
    At,
    z.array(Item),
  ])
  .transform((cell): CollectionFacts => {
    const [id, accountId, ownerName, uri, url, name, description, language, ...rest] = cell
    const [sensitive, discoverable, tag, createdAt, updatedAt, items] = rest
    return {
      id,
      accountId,
      ownerName,
      uri,
      url,
      name,
      description,
      language,
      sensitive,
      discoverable,
      tag,
      createdAt,
      updatedAt,
      // Sorted in code: sorting in the database would read each row again.
      items: items
        .map(([itemId, memberId, state, addedAt]) => ({
          id: itemId,
          accountId: memberId,
          state,
          createdAt: addedAt,
        }))
        .toSorted((one, other) => one.id - other.id),
    }
  })
const Cells = z.array(Cell)

function readCollection(cell: unknown): CollectionFacts {
  return Cell.parse(JSON.parse(String(cell)))
}

function readCollections(parsed: unknown): CollectionFacts[] | null {
  return parsed === null ? null : Cells.parse(listIn(parsed))
}
