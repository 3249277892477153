import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Ctx } from '../../context'
import { ask, first, map, type Query } from '../../db/query'
import { idempotencyKeys, statuses } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import { asOwn, asSelectedVisible, type OwnStatus, type VisibleStatus, visibleTo } from '../policy/visibility'
import { refOf, type Viewer, type ViewerRef } from '../viewer'

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
export function stillVisible(viewer: ViewerRef, id: StatusId): SQL {
  return sql`exists (select 1 from statuses s where s.id = ${id} and ${visibleTo(viewer)})`
}

/** Is there a status with this id? For statements that follow its insertion in one batch. */
export function isThere(id: StatusId): SQL {
  return sql`exists (select 1 from statuses where id = ${id})`
}

const keyLifetimeMilliseconds = 3_600_000

/** The status `author` made with this idempotency key within the last hour, unless it is deleted. */
export function statusMadeWith(
  ctx: Ctx,
  author: AccountId,
  key: string,
): { readonly query: Query<StatusId | null>; readonly free: SQL } {
  const since = ctx.clock.now().getTime() - keyLifetimeMilliseconds
  const fits = sql`${idempotencyKeys.accountId} = ${author} and ${idempotencyKeys.key} = ${key}
    and ${idempotencyKeys.createdAt} > ${since}
    and exists (select 1 from statuses where id = ${idempotencyKeys.statusId})`
  const found = first(ctx.db.select({ statusId: idempotencyKeys.statusId }).from(idempotencyKeys).where(fits))
  return {
    query: map(found, (row) => row?.statusId ?? null),
    free: sql`not exists (select 1 from ${idempotencyKeys} where ${fits})`,
  }
}

/** The status with this id, or `NotFound` when `viewer` may not see it. */
export async function findVisibleStatus(
  ctx: Ctx,
  viewer: Viewer | null,
  id: StatusId,
): Promise<VisibleStatus> {
  const found = await ask(ctx.db, visibleStatus(ctx, refOf(viewer), id))
  if (found === null) throw new NotFound()
  return found
}

/** The original behind the status with this id, or `NotFound` when `viewer` may not see it. */
export async function findOriginalStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<VisibleStatus> {
  const found = await ask(ctx.db, visibleOriginal(ctx, refOf(viewer), id))
  if (found === null) throw new NotFound()
  return found
}

/** The viewer's own status with this id; somebody else's and missing ones are `NotFound`. */
export async function findOwnStatus(
  ctx: Ctx,
  viewer: { readonly id: AccountId },
  id: StatusId,
): Promise<OwnStatus> {
  const row = await ask(
    ctx.db,
    first(ctx.db.select(getTableColumns(statuses)).from(statuses).where(eq(statuses.id, id))),
  )
  const own = row === null ? null : asOwn(viewer.id, row)
  if (own === null) throw new NotFound()
  return own
}
