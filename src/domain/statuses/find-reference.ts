import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import type { Visibility } from '../../db/schema/statuses'
import type { Approval } from '../../db/values'
import { statusUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Fields an activity about a status needs. */
export interface StatusReference {
  readonly uri: string
  readonly authorId: AccountId
  readonly local: boolean
  readonly localOnly: boolean
  readonly visibility: Visibility
}

/**
 * Address and author of a status regardless of visibility: for notifying servers that already have it. Contains
 * no content. One statement.
 */
export function statusReference(ctx: Ctx, id: StatusId): Query<StatusReference | null> {
  const found = first(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        uri: sql<string | null>`s.uri`.as('uri'),
        authorId: sql<AccountId>`s.account_id`.as('author_id'),
        local: sql<number>`s.local`.as('local'),
        localOnly: sql<number>`s.local_only`.as('local_only'),
        visibility: sql<Visibility>`s.visibility`.as('visibility'),
        username: sql<string>`a.username`.as('username'),
      })
      .from(sql`statuses s cross join accounts a on a.id = s.account_id`)
      .where(sql`s.id = ${id}`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { uri, authorId, visibility, username } = row
    return {
      authorId,
      visibility,
      local: row.local === 1,
      localOnly: row.localOnly === 1,
      uri: uri ?? statusUri(ctx.config.origin, username, id),
    }
  })
}

/** The status as a selection (id, cursor), unless it awaits approval or replies to a local-only status. */
export function federatedStatus(id: StatusId): SQL {
  return sql`select s.id as id, 0 as cursor from statuses s where s.id = ${id} and s.approval ->> 'held' is null and not exists (
    select 1 from statuses parent where parent.id = s.in_reply_to_id and parent.local_only = 1)`
}

/** The status as a selection (id, cursor) while it awaits approval by the author of its parent or original. */
export function pendingStatus(id: StatusId): SQL {
  return sql`select s.id as id, 0 as cursor from statuses s where s.id = ${id} and s.approval ->> 'held' is not null`
}

/** Guard: the status still awaits approval. */
export function isStillPending(id: StatusId): SQL {
  return sql`exists (${pendingStatus(id)})`
}

/** Interactions of an account with a status. */
export interface InteractionsOn {
  readonly favouriteId: number | null
  /** Of the favourite, by the author. */
  readonly favouriteApproval: Approval | null
  readonly favouriteRequestId: number | null
  readonly pinned: boolean
  readonly reblogged: boolean
}

/** The favourite, pin and reblog of `account` on the status. One statement. */
export function interactionsOn(ctx: Ctx, account: AccountId, id: StatusId): Query<InteractionsOn> {
  const found = first(
    ctx.db
      .select({
        favourite: sql<readonly [number, Approval | null] | null>`(select json_array(id, json(approval))
          from favourites where status_id = ${id} and account_id = ${account})`
          .mapWith((cell: string): readonly [number, Approval | null] => JSON.parse(cell))
          .as('favourite'),
        favouriteRequestId: sql<number | null>`(select id from favourite_requests
          where status_id = ${id} and account_id = ${account})`.as('favourite_request_id'),
        pinned: sql<number>`exists (select 1 from status_pins where status_id = ${id})`.as('pinned'),
        reblogged: sql<number>`exists (select 1 from statuses
          where reblog_of_id = ${id} and account_id = ${account})`.as('reblogged'),
      })
      .from(sql`(select 1) as one`),
  )
  return map(found, (row) => ({
    favouriteId: row?.favourite?.[0] ?? null,
    favouriteApproval: row?.favourite?.[1] ?? null,
    favouriteRequestId: row?.favouriteRequestId ?? null,
    pinned: row?.pinned === 1,
    reblogged: row?.reblogged === 1,
  }))
}
