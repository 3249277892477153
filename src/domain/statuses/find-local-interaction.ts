import { getTableColumns, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { asOwn, type OwnStatus } from '../policy/visibility'

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
