import { eq, type SQL, sql } from 'drizzle-orm'
import type { FilterKeyword, FilterRule } from '../../contract/filters'
import { filterLimits } from '../../contract/limits'
import { filterCells, filterOf } from '../../db/filters'
import { execute, first, inList, jsonRows, map, orNotFound, type Query, rows } from '../../db/query'
import { filterKeywords, filterStatuses, filters, users } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, FilterId, FilterKeywordId, FilterStatusId } from '../../lib/ids'
import { utf8Bytes } from '../../lib/text/bytes'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, type ViewerRef, viewerById } from '../core/viewer'
import { type FilterPatch, type FilterPlan, planFilterUpdate } from './plan'

/**
 * Creates a filter of the viewer by applying `planFilterUpdate` to an empty one, whose action is `warn` by default.
 * Publishes `filters.changed`.
 */
export async function createFilter(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  patch: FilterPatch,
): Promise<FilterRule> {
  const empty: FilterRule = {
    id: ctx.ids.next(),
    title: '',
    contexts: [],
    action: 'warn',
    expiresAt: null,
    keywords: [],
    statuses: [],
  }
  const means = { now: ctx.clock.now(), nextId: () => ctx.ids.next() }
  const { filter, added } = planFilterUpdate(empty, patch, means)
  const { id, title, contexts, action, expiresAt } = filter
  const changes = new Changes()
    .require(
      sql`(select count(*) from filters where account_id = ${viewer.id}) < ${filterLimits.filters}`,
      new Invalid('too_many_filters', { max: filterLimits.filters }),
    )
    .add(
      ctx.db.insert(filters).values({ id, accountId: viewer.id, title, contexts, action, expiresAt }),
      ...insertKeywords(ctx, id, added),
    )
  if (added.length > 0) requireFilterLimits(changes, viewer.id, filter)
  await commit(ctx, bumpFiltersVersion(ctx, changes, viewer.id))
  return filter
}

/** Statements that store new keywords of a filter. */
function insertKeywords(ctx: Ctx, filterId: FilterId, keywords: readonly FilterKeyword[]) {
  if (keywords.length === 0) return []
  return [
    ctx.db.run(sql`insert into ${filterKeywords} (id, filter_id, keyword, whole_word)
      select item.value ->> 'id', ${filterId}, item.value ->> 'keyword', item.value ->> 'wholeWord'
      from ${jsonRows(keywords)}`),
  ]
}

/**
 * Changes a filter and its keywords at once, as `planFilterUpdate` says: completely or not at all.
 *
 * `NotFound` for another account's filter and for keywords that are not in it. Publishes one `filters.changed`, also
 * for a change without effect: Mastodon's clients expect one for every request.
 */
export async function updateFilter(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, patch }: { readonly id: number; readonly patch: FilterPatch },
): Promise<FilterRule> {
  const { filter } = await reviseFilter(ctx, viewer, {
    of: ownFilter(ctx, viewerById(viewer.id), id),
    patchFor: () => patch,
  })
  return filter
}

/** Like `updateFilter`, for a filter found by another query; `patchFor` is called with the filter. */
export async function reviseFilter(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { of, patchFor }: { of: Query<FilterRule | null>; patchFor(filter: FilterRule): FilterPatch },
): Promise<FilterPlan> {
  const before = await execute(ctx.db, orNotFound(of))
  const means = { now: ctx.clock.now(), nextId: () => ctx.ids.next() }
  const plan = planFilterUpdate(before, patchFor(before), means)
  await commit(ctx, bumpFiltersVersion(ctx, changesOf(ctx, viewer, plan), viewer.id))
  return plan
}

function changesOf(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { filter, added, changed, removedIds }: FilterPlan,
): Changes {
  const { id, title, contexts, action, expiresAt } = filter
  const changes = new Changes()
    .require(ownsFilter(viewer.id, id), new NotFound())
    .add(ctx.db.update(filters).set({ title, contexts, action, expiresAt }).where(eq(filters.id, id)))
  if (removedIds.length > 0)
    changes.add(ctx.db.delete(filterKeywords).where(inList(filterKeywords.id, removedIds)))
  if (changed.length > 0)
    changes.add(
      ctx.db.run(sql`update ${filterKeywords}
        set keyword = item.value ->> 'keyword', whole_word = item.value ->> 'wholeWord'
        from ${jsonRows(changed)} where ${filterKeywords.id} = item.value ->> 'id'`),
    )
  if (added.length + changed.length > 0) requireFilterLimits(changes, viewer.id, filter)
  return changes.add(...insertKeywords(ctx, id, added))
}

/** Deletes a filter with its keywords and statuses. `NotFound` for another account's. Publishes `filters.changed`. */
export async function deleteFilter(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: FilterId): Promise<void> {
  const changes = new Changes()
    .require(ownsFilter(viewer.id, id), new NotFound())
    .add(ctx.db.delete(filters).where(eq(filters.id, id)))
  await commit(ctx, bumpFiltersVersion(ctx, changes, viewer.id))
}

/**
 * Guards the total of keywords and statuses in the filters of `owner`, with `filter` as it will be: every page read
 * loads all of them. `Invalid` beyond `filterLimits`.
 */
export function requireFilterLimits(changes: Changes, owner: AccountId, filter: FilterRule): void {
  const { keywordsInAll, keywordBytesInAll, statusesInAll } = filterLimits
  const bytes = filter.keywords.reduce((sum, { keyword }) => sum + utf8Bytes(keyword), 0)
  const others = sql`(select id from filters where account_id = ${owner} and id <> ${filter.id})`
  const keywords = sql`filter_keywords where filter_id in ${others}`
  changes
    .require(
      sql`(select count(*) <= ${keywordsInAll - filter.keywords.length}
        and coalesce(sum(length(cast(keyword as blob))), 0) <= ${keywordBytesInAll - bytes} from ${keywords})`,
      new Invalid('too_many_in_all', { field: 'keywords', max: keywordsInAll }),
    )
    .require(
      sql`(select count(*) from filter_statuses where filter_id in ${others})
        <= ${statusesInAll - filter.statuses.length}`,
      new Invalid('too_many_in_all', { field: 'statuses', max: statusesInAll }),
    )
}

/**
 * Statements for the end of every batch that changes an account's filters: mark compiled copies as outdated.
 * Publishes `filters.changed`.
 */
export function bumpFiltersVersion(ctx: Ctx, changes: Changes, owner: AccountId): Changes {
  const version = sql`case when exists (select 1 from filters where account_id = ${owner}) then ${ctx.ids.next()} end`
  return changes
    .add(ctx.db.update(users).set({ filtersVersion: version }).where(eq(users.accountId, owner)))
    .publish({ kind: 'filters.changed', accountId: owner })
}

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
