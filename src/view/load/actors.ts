import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { statusUri, uriOfAccount } from '../../contract/addresses'
import { jsonRow } from '../../db/json-row'
import { map, type Query, rows, type Selection, withEnd } from '../../db/query'
import { accounts, collections, users } from '../../db/schema'
import type { ViewerRef } from '../../domain/core/viewer'
import { isVisibleAccountJoined } from '../../domain/policy/account-visibility'
import { itemVisibleTo } from '../../domain/policy/featuring'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

const { note: _note, ...columns } = getTableColumns(accounts)
const actorCell = jsonRow(columns)
const target = alias(accounts, 'target')

/** A local account with the fields of its actor document. */
export interface ActorFacts {
  readonly account: Omit<typeof accounts.$inferSelect, 'note'>
  /** Actor id of the account it moved to. */
  readonly movedTo: string | null
}

/**
 * Loads the local accounts a selection names by rows (id, cursor), newest cursor first. One statement.
 *
 * Accounts that are not confirmed and approved are left out, and so are remote accounts: their own servers
 * publish them.
 */
export function loadActors(ctx: Ctx, selection: SQL): Query<ActorFacts[]> {
  const found = rows(
    ctx.db
      .select({
        account: actorCell.as('account'),
        moved: sql<number | null>`target.id`.as('moved'),
        movedUri: sql<string | null>`target.uri`.as('moved_uri'),
        movedName: sql<string>`target.username`.as('moved_name'),
        stands: isVisibleAccountJoined.as('stands'),
        cursor: sql<number>`page.cursor`.as('cursor'),
      })
      .from(sql`(${selection}) as page`)
      .crossJoin(accounts)
      .leftJoin(users, eq(users.accountId, accounts.id))
      .leftJoin(target, eq(target.id, accounts.movedToAccountId))
      .where(sql`${accounts.id} = page.id and ${accounts.domain} is null`),
  )
  return map(found, (all) =>
    all
      .filter(({ stands }) => stands === 1)
      .toSorted((a, b) => b.cursor - a.cursor)
      .map(({ account, moved, movedUri, movedName }) => ({
        account,
        movedTo:
          moved === null ? null : uriOfAccount(ctx.config.origin, { uri: movedUri, username: movedName }),
      })),
  )
}

/** The URIs of what a selection names, newest cursor first. */
export interface UriPage {
  readonly uris: readonly string[]
  readonly cursors: readonly number[]
  /** The selection ended before the page was full: more may follow after its last cursor. */
  readonly endsEarly: boolean
}

/** Loads the actor ids of the accounts a selection names by rows (id, cursor). One statement. */
export function loadAccountUris(ctx: Ctx, selection: Selection): Query<UriPage> {
  const found = rows(
    ctx.db
      .select({
        uri: sql<string | null>`a.uri`.as('uri'),
        username: sql<string>`a.username`.as('username'),
        cursor: sql<number>`page.cursor`.as('cursor'),
        isEnd: sql<number>`page.is_end`.as('is_end'),
      })
      .from(sql`(${withEnd(selection)}) as page cross join accounts a`)
      .where(sql`a.id = page.id`),
  )
  return map(found, (all) => pageOf(all, (row) => uriOfAccount(ctx.config.origin, row)))
}

/** Loads the URIs of the statuses a selection names by rows (id, cursor). One statement. */
export function loadStatusUris(ctx: Ctx, selection: Selection): Query<UriPage> {
  const found = rows(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        uri: sql<string | null>`s.uri`.as('uri'),
        username: sql<string>`a.username`.as('username'),
        cursor: sql<number>`page.cursor`.as('cursor'),
        isEnd: sql<number>`page.is_end`.as('is_end'),
      })
      .from(sql`(${withEnd(selection)}) as page cross join statuses s cross join accounts a`)
      .where(sql`s.id = page.id and a.id = s.account_id`),
  )
  const { origin } = ctx.config
  return map(found, (all) => pageOf(all, (row) => row.uri ?? statusUri(origin, row.username, row.id)))
}

function pageOf<Row extends { readonly cursor: number; readonly isEnd: number }>(
  all: readonly Row[],
  uriOf: (row: Row) => string,
): UriPage {
  const ordered = all.toSorted((a, b) => b.cursor - a.cursor)
  return {
    uris: ordered.filter(({ isEnd }) => isEnd === 0).map(uriOf),
    cursors: [...new Set(ordered.map(({ cursor }) => cursor))],
    endsEarly: ordered.some(({ isEnd }) => isEnd === 1),
  }
}

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
