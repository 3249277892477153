import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { execute, first, limitTo, map, orNotFound, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Viewer, type ViewerRef, viewerById, viewerRefOf } from '../core/viewer'
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
