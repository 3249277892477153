import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import { readStatusUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { anonymousViewer, type ViewerRef } from '../core/viewer'
import { asOwn, asSelectedVisible, type OwnStatus, type VisibleStatus, visibleTo } from '../policy/visibility'

/** Id of the local or remote status with this address, as a sub-select. */
export function idByAddress(ctx: Ctx, address: string): SQL<StatusId> {
  const own = readStatusUri(ctx.config.origin, address)
  if (own === null) return sql<StatusId>`(select id from statuses where uri = ${address})`
  return sql<StatusId>`(select named.id from statuses named cross join accounts owner on owner.id = named.account_id
    where named.id = ${own.id} and named.local = 1 and lower(owner.username) = ${own.username.toLowerCase()})`
}

/** The status with this address if `viewer` may see it; a reblog resolves to its original. One statement. */
export function visibleAtAddress(ctx: Ctx, viewer: ViewerRef, address: string): Query<VisibleStatus | null> {
  return visibleShared(ctx, viewer, idByAddress(ctx, address))
}

/**
 * The status with the id expression `id` if `viewer` may see it; a reblog resolves to its original. One
 * statement.
 */
export function visibleShared(ctx: Ctx, viewer: ViewerRef, id: SQL): Query<VisibleStatus | null> {
  const found = first(
    ctx.db
      .select(getTableColumns(statuses))
      .from(statuses)
      .where(
        sql`${statuses.id} = (select coalesce(reblog_of_id, id) from statuses where id = ${id})
          and ${visibleTo(viewer, 'statuses')}`,
      ),
  )
  return map(found, (row) => (row === null ? null : asSelectedVisible(row)))
}

/** The local status with this address if it is publicly visible, as a selection (id, cursor). */
export function ownAtAddress(ctx: Ctx, address: string): SQL {
  return sql`select s.id as id, 0 as cursor from statuses s
    where s.id = ${idByAddress(ctx, address)} and s.local = 1 and s.reblog_of_id is null and ${visibleTo(anonymousViewer)}`
}

/** Interaction of a local account with a status of `author`, identified by its row and the account's username. */
export interface LocalInteractionRef {
  readonly username: string
  readonly id: number
}

export interface LocalInteraction {
  readonly id: number
  readonly statusId: StatusId
  readonly accountId: AccountId
}

/** The favourite, request for one, or reaction; null if the status is not by `author`. One statement. */
export function findLocalInteraction(
  ctx: Ctx,
  author: AccountId,
  { username, id }: LocalInteractionRef,
  table: 'favourites' | 'favourite_requests' | 'emoji_reactions',
): Query<LocalInteraction | null> {
  return first(
    ctx.db
      .select({
        id: sql<number>`mark.id`.as('id'),
        statusId: sql<StatusId>`mark.status_id`.as('status_id'),
        accountId: sql<AccountId>`mark.account_id`.as('account_id'),
      })
      .from(sql`${sql.raw(table)} mark cross join accounts a on a.id = mark.account_id
        cross join statuses s on s.id = mark.status_id`)
      .where(sql`mark.id = ${id} and a.domain is null and lower(a.username) = ${username.toLowerCase()}
        and s.account_id = ${author}`),
  )
}

/** A local reply or reblog with its author's username in its stored spelling. */
export interface LocalReplyOrReblog {
  readonly status: OwnStatus
  readonly username: string
}

/** The reply or reblog; null if its parent or original is not by `author`. One statement. */
export function findLocalReplyOrReblog(
  ctx: Ctx,
  author: AccountId,
  { username, id }: LocalInteractionRef,
): Query<LocalReplyOrReblog | null> {
  const found = first(
    ctx.db
      .select({ ...getTableColumns(statuses), username: sql<string>`a.username`.as('username') })
      .from(statuses)
      .innerJoin(sql`accounts a`, sql`a.id = ${statuses.accountId}`)
      .where(sql`${statuses.id} = ${id} and ${statuses.local} = 1 and ${statuses.localOnly} = 0
        and a.domain is null and lower(a.username) = ${username.toLowerCase()}
        and exists (select 1 from statuses original
          where original.id = coalesce(${statuses.reblogOfId}, ${statuses.inReplyToId})
            and original.account_id = ${author})`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { username: name, ...status } = row
    const own = asOwn(status.accountId, status)
    return own === null ? null : { status: own, username: name }
  })
}
