import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { execute, first, map, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { type Viewer, type ViewerRef, viewerById, viewerRefOf } from '../core/viewer'
import { asOwn, asSelectedVisible, type OwnStatus, type VisibleStatus, visibleTo } from '../policy/visibility'

/** The status with this id as far as `viewer` may see it: hidden and missing are both null. One statement. */
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
 * The status to act on when somebody answers, favourites, reblogs or bookmarks the status `id`: a reblog stands
 * for what it shares. Null when `viewer` may not see either. One statement.
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

/** For a guard: is the status `id` still there, and still to be seen by `viewer`? */
export function isStillVisible(viewer: ViewerRef, id: StatusId): SQL {
  return sql`exists (select 1 from statuses s where s.id = ${id} and ${visibleTo(viewer)})`
}

/** Is there a status with this id? For statements that follow its insertion in one batch. */
export function statusExists(id: StatusId): SQL {
  return sql`exists (select 1 from statuses where id = ${id})`
}

/** The status with this id, or `NotFound` when `viewer` may not see it. */
export async function findVisibleStatus(
  ctx: Ctx,
  viewer: Viewer | null,
  id: StatusId,
): Promise<VisibleStatus> {
  const found = await execute(ctx.db, visibleStatus(ctx, viewerRefOf(viewer), id))
  if (found === null) throw new NotFound()
  return found
}

/** The original behind the status with this id, or `NotFound` when `viewer` may not see it. */
export async function findOriginalStatus(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: StatusId,
): Promise<VisibleStatus> {
  const found = await execute(ctx.db, visibleOriginal(ctx, viewerById(viewer.id), id))
  if (found === null) throw new NotFound()
  return found
}

/** The status `id` stands for, as SQL: what it reblogs, or itself; null when there is none. */
export function originalOf(id: StatusId): SQL<StatusId> {
  return sql<StatusId>`(select coalesce(reblog_of_id, id) from statuses where id = ${id})`
}

/** The viewer's own status with this id; null for somebody else's and missing ones. One statement. */
export function ownStatus(ctx: Ctx, viewer: AccountId, id: StatusId): Query<OwnStatus | null> {
  const found = first(ctx.db.select(getTableColumns(statuses)).from(statuses).where(eq(statuses.id, id)))
  return map(found, (row) => (row === null ? null : asOwn(viewer, row)))
}

/** The viewer's reblog of the status `id`, or of what that reblogs. One statement. */
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

/** The accounts that reblog the status `id`, as a selection of ids. */
export function rebloggersOf(id: StatusId): SQL {
  return sql`select account_id from statuses where reblog_of_id = ${id} and local_only = 0`
}

/** For conditions: does the status `id` stay on this server? */
export function isLocalOnly(id: StatusId): SQL {
  return sql`exists (select 1 from statuses own where own.id = ${id} and own.local_only = 1)`
}

/** How many people of this server reblog the status `id`, as far as that counts. */
export function localReblogCount(id: StatusId): SQL {
  return sql`select count(*) from statuses where reblog_of_id = ${id} and local = 1 and local_only = 0`
}

/** Statuses with attachments or custom emojis by the accounts `authors` selects, at most `count`, as ids. */
export function statusesWithImagesBy(authors: SQL, count: number): SQL {
  return sql`select s.id from (${authors}) author cross join statuses s on s.account_id = author.id
    where s.attachments <> '[]' or s.emojis <> '[]' ${limitTo(count)}`
}
