import { eq, sql } from 'drizzle-orm'
import { execute, type Query } from '../../db/query'
import { filterKeywords, filters } from '../../db/schema'
import { inList, jsonRows } from '../../db/sql'
import { NotFound } from '../../errors'
import type { FilterRule } from '../../lib/filters/keyword-index'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { bumpFiltersVersion } from './bump-version'
import { insertKeywords } from './create'
import { ownFilter, ownsFilter } from './find'
import { requireFilterLimits } from './limits'
import { type FilterPatch, type FilterPlan, planFilterUpdate } from './plan'

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
  const before = await execute(ctx.db, of)
  if (before === null) throw new NotFound()
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
