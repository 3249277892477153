import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { readStatusUri } from '../../contract/addresses'
import { execute, first, limitTo, map, orNotFound, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { anonymousViewer, type Viewer, type ViewerRef, viewerById, viewerRefOf } from '../core/viewer'
import { asOwn, asSelectedVisible, type OwnStatus, type VisibleStatus, visibleTo } from '../policy/visibility'

/** The status with this id if `viewer` may see it; null if hidden or missing. One statement. */
export function visibleStatus(ctx: Ctx, viewer: ViewerRef, id: StatusId): Query<VisibleStatus | null> {
  const found = first(
    ctx.db
      .select(getTableColumns(statuses))
      .from(statuses)
      .where(sql`${eq(statuses.id, id)} and ${visibleTo(viewer, 'statuses')}`),
  )
  return map(found, (row) => (row === null ? null : asSelectedVisible(row)))
}

const original = alias(statuses, 'original')

/**
 * Target of a reply, favourite, reblog or bookmark of the status `id`: a reblog resolves to its original. Null if
 * `viewer` may not see it. One statement.
 */
export function visibleOriginal(ctx: Ctx, viewer: ViewerRef, id: StatusId): Query<VisibleStatus | null> {
  const found = first(
    ctx.db
      .select(getTableColumns(original))
      .from(sql`${statuses} s`)
      .innerJoin(original, sql`original.id = coalesce(s.reblog_of_id, s.id)`)
      .where(sql`s.id = ${id} and ${visibleTo(viewer)}`),
  )
  return map(found, (row) => (row === null ? null : asSelectedVisible(row)))
}

/** Guard: the status `id` still exists and is visible to `viewer`. */
export function isStillVisible(viewer: ViewerRef, id: StatusId): SQL {
  return sql`exists (select 1 from statuses s where s.id = ${id} and ${visibleTo(viewer)})`
}

/** True if the status exists, as SQL. For statements that follow its insertion in one batch. */
export function statusExists(id: StatusId): SQL {
  return sql`exists (select 1 from statuses where id = ${id})`
}

/** The status with this id, or `NotFound` if `viewer` may not see it. */
export async function findVisibleStatus(
  ctx: Ctx,
  viewer: Viewer | null,
  id: StatusId,
): Promise<VisibleStatus> {
  const found = await execute(ctx.db, orNotFound(visibleStatus(ctx, viewerRefOf(viewer), id)))
  return found
}

/** The original of the status with this id, or `NotFound` if `viewer` may not see it. */
export async function findOriginalStatus(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: StatusId,
): Promise<VisibleStatus> {
  const found = await execute(ctx.db, orNotFound(visibleOriginal(ctx, viewerById(viewer.id), id)))
  return found
}

/** Id of the original of the status `id`, as SQL: its reblogged status, or itself; null if missing. */
export function originalOf(id: StatusId): SQL<StatusId> {
  return sql<StatusId>`(select coalesce(reblog_of_id, id) from statuses where id = ${id})`
}

/** The viewer's own status with this id; null if missing or by another author. One statement. */
export function ownStatus(ctx: Ctx, viewer: AccountId, id: StatusId): Query<OwnStatus | null> {
  const found = first(ctx.db.select(getTableColumns(statuses)).from(statuses).where(eq(statuses.id, id)))
  return map(found, (row) => (row === null ? null : asOwn(viewer, row)))
}

/** The viewer's reblog of the status `id` or of its original. One statement. */
export function ownReblog(ctx: Ctx, viewer: AccountId, id: StatusId): Query<OwnStatus | null> {
  const found = first(
    ctx.db
      .select(getTableColumns(statuses))
      .from(statuses)
      .where(and(eq(statuses.reblogOfId, originalOf(id)), eq(statuses.accountId, viewer))),
  )
  return map(found, (row) => (row === null ? null : asOwn(viewer, row)))
}

/** The viewer's reblog of an original as a selection (id, cursor). */
export function ownReblogSelection(viewer: AccountId, original: StatusId): SQL {
  return sql`select id, 0 as cursor from statuses
    where reblog_of_id = ${original} and account_id = ${viewer}`
}

/** Accounts with a federated reblog of the status `id`, as rows `s` (account_id). */
export function rebloggersOf(id: StatusId): SQL {
  return sql`select s.account_id from statuses s where s.reblog_of_id = ${id} and s.local_only = 0`
}

/** Subquery of the author of the status `id`. */
export function authorOf(id: StatusId): SQL {
  return sql`(select account_id from statuses where id = ${id})`
}

/** Condition: the status `id` is local-only. */
export function isLocalOnly(id: StatusId): SQL {
  return sql`exists (select 1 from statuses own where own.id = ${id} and own.local_only = 1)`
}

/** Number of federated reblogs of the status `id` by local accounts. */
export function localReblogCount(id: StatusId): SQL {
  return sql`select count(*) from statuses where reblog_of_id = ${id} and local = 1 and local_only = 0`
}

/** Attachments of the local statuses of an account by ascending id, none included. One statement. */
export function attachmentsInOrder(
  ctx: Ctx,
  account: AccountId,
  { after, limit }: { readonly after: StatusId; readonly limit: number },
) {
  return rows(
    ctx.db
      .select({ id: statuses.id, attachments: statuses.attachments })
      .from(statuses)
      .where(sql`${statuses.accountId} = ${account} and ${statuses.id} > ${after} and ${statuses.local} = 1`)
      .orderBy(sql`${statuses.id} ${limitTo(limit)}`),
  )
}

/** Ids of statuses with attachments or custom emojis by the accounts in `authors`, at most `count`. */
export function statusesWithImagesBy(authors: SQL, count: number): SQL {
  return sql`select s.id from (${authors}) author cross join statuses s on s.account_id = author.id
    where s.attachments <> '[]' or s.emojis <> '[]' ${limitTo(count)}`
}

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
interface LocalReplyOrReblog {
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
