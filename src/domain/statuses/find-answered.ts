import { getTableColumns, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import { asOwn, type OwnStatus } from '../policy/visibility'

/** What one of our people did to a status of `author`, named by its row and their name. */
export interface AnsweredInteraction {
  readonly username: string
  readonly id: number
}

export interface AnsweredMark {
  readonly id: number
  readonly statusId: StatusId
  readonly accountId: AccountId
}

/** Such a favourite or reaction; null where the status is somebody else's. One statement. */
export function answeredMark(
  ctx: Ctx,
  author: AccountId,
  { username, id }: AnsweredInteraction,
  table: 'favourites' | 'emoji_reactions',
): Query<AnsweredMark | null> {
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

/** Such a reblog, with the name of its owner as written; null where what it shares is somebody else's. One statement. */
export function answeredReblog(
  ctx: Ctx,
  author: AccountId,
  { username, id }: AnsweredInteraction,
): Query<{ readonly reblog: OwnStatus; readonly username: string } | null> {
  const found = first(
    ctx.db
      .select({ ...getTableColumns(statuses), username: sql<string>`a.username`.as('username') })
      .from(statuses)
      .innerJoin(sql`accounts a`, sql`a.id = ${statuses.accountId}`)
      .where(sql`${statuses.id} = ${id} and ${statuses.local} = 1
        and a.domain is null and lower(a.username) = ${username.toLowerCase()}
        and exists (select 1 from statuses original
          where original.id = ${statuses.reblogOfId} and original.account_id = ${author})`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { username: name, ...status } = row
    const reblog = asOwn(status.accountId, status)
    return reblog === null ? null : { reblog, username: name }
  })
}
