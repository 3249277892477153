import { sql } from 'drizzle-orm'
import { filterLimits } from '../../contract/limits'
import { filterKeywords, filters } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import { Invalid } from '../../errors'
import type { FilterKeyword, FilterRule } from '../../lib/filters/keyword-index'
import type { FilterId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { bumpFiltersVersion } from './bump-version'
import { requireFilterLimits } from './limits'
import { type FilterPatch, planFilterUpdate } from './plan'

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
export function insertKeywords(ctx: Ctx, filterId: FilterId, keywords: readonly FilterKeyword[]) {
  if (keywords.length === 0) return []
  return [
    ctx.db.run(sql`insert into ${filterKeywords} (id, filter_id, keyword, whole_word)
      select item.value ->> 'id', ${filterId}, item.value ->> 'keyword', item.value ->> 'wholeWord'
      from ${jsonRows(keywords)}`),
  ]
}
