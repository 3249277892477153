import { eq, type SQL, sql } from 'drizzle-orm'
import { filterCells, filterOf } from '../../db/filters'
import { first, map, type Query, rows } from '../../db/query'
import { filterKeywords, filterStatuses, filters } from '../../db/schema'
import type { FilterRule } from '../../lib/filters/keyword-index'
import type { AccountId, FilterId, FilterKeywordId, FilterStatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'

/** Every filter of the viewer, oldest first, expired ones included. One statement. */
export function filtersOf(ctx: Ctx, viewer: ViewerRef): Query<readonly FilterRule[]> {
  const found = rows(
    ctx.db
      .select(filterCells)
      .from(filters)
      .where(sql`${filters.accountId} = ${viewer.id}`)
      .orderBy(filters.id),
  )
  return map(found, (all) => all.map(filterOf).filter((filter) => filter !== null))
}

/** The viewer's filter with this id; null for missing ones and another account's. One statement. */
export function ownFilter(ctx: Ctx, viewer: ViewerRef, id: FilterId): Query<FilterRule | null> {
  return oneOf(ctx, viewer, sql`${filters.id} = ${id}`)
}

/** The viewer's filter that holds this keyword; null when it is in none of theirs. One statement. */
export function filterWithKeyword(
  ctx: Ctx,
  viewer: ViewerRef,
  id: FilterKeywordId,
): Query<FilterRule | null> {
  const holder = sql`(select ${filterKeywords.filterId} from ${filterKeywords} where ${filterKeywords.id} = ${id})`
  return oneOf(ctx, viewer, sql`${filters.id} = ${holder}`)
}

/** The viewer's filter that names a status under this id; null when it is in none of theirs. One statement. */
export function filterWithStatus(ctx: Ctx, viewer: ViewerRef, id: FilterStatusId): Query<FilterRule | null> {
  const holder = sql`(select ${filterStatuses.filterId} from ${filterStatuses} where ${filterStatuses.id} = ${id})`
  return oneOf(ctx, viewer, sql`${filters.id} = ${holder}`)
}

function oneOf(ctx: Ctx, viewer: ViewerRef, isIt: SQL): Query<FilterRule | null> {
  const found = first(
    ctx.db.select(filterCells).from(filters).where(sql`${isIt} and ${filters.accountId} = ${viewer.id}`),
  )
  return map(found, (row) => (row === null ? null : filterOf(row)))
}

/** For a guard: whether this filter of `owner` still exists. */
export function ownsFilter(owner: AccountId, id: FilterId): SQL {
  return sql`exists (select 1 from ${filters} where ${eq(filters.id, id)} and ${eq(filters.accountId, owner)})`
}
