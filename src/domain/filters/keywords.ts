import { NotFound } from '../../errors'
import type { FilterKeyword } from '../../lib/filters/keyword-index'
import type { FilterId, FilterKeywordId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Viewer, viewerById } from '../core/viewer'
import { reviseFilter } from './create'
import { filterWithKeyword, ownFilter } from './find'
import type { FilterPlan, KeywordPatch } from './plan'

export type KeywordChange = Pick<KeywordPatch, 'keyword' | 'wholeWord'>

/**
 * Adds a keyword to a filter of the viewer, for whole words by default.
 *
 * `NotFound` for another account's filter, `Invalid` as `planFilterUpdate` says. Publishes `filters.changed`.
 */
export async function addKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { filterId, ...change }: KeywordChange & { readonly filterId: FilterId },
): Promise<FilterKeyword> {
  const { added } = await reviseFilter(ctx, viewer, {
    of: ownFilter(ctx, viewerById(viewer.id), filterId),
    patchFor: () => ({ keywords: [newKeyword(change)] }),
  })
  const [made] = added
  if (made === undefined) throw new Error('A keyword was planned and not added')
  return made
}

/** Changes a keyword of the viewer. `NotFound` for another account's. Publishes `filters.changed`. */
export async function changeKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, ...change }: KeywordChange & { readonly id: FilterKeywordId },
): Promise<FilterKeyword> {
  const { filter } = await reviseFilter(ctx, viewer, {
    of: filterWithKeyword(ctx, viewerById(viewer.id), id),
    patchFor: () => ({ keywords: [{ id, ...change }] }),
  })
  return keywordIn(filter, id)
}

/**
 * Changes the keyword of the filter with this id. Any other id, also that of a keyword elsewhere, adds a keyword
 * under an id of its own.
 *
 * `NotFound` for another account's filter. Publishes `filters.changed`.
 */
export async function putKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, filterId, ...change }: KeywordChange & { readonly id: FilterKeywordId; readonly filterId: FilterId },
): Promise<FilterKeyword> {
  const { filter, added } = await reviseFilter(ctx, viewer, {
    of: ownFilter(ctx, viewerById(viewer.id), filterId),
    patchFor: ({ keywords }) => ({
      keywords: [keywords.some((keyword) => keyword.id === id) ? { id, ...change } : newKeyword(change)],
    }),
  })
  return added[0] ?? keywordIn(filter, id)
}

/** Deletes a keyword from its filter. `NotFound` for another account's. Publishes `filters.changed`. */
export async function removeKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  id: FilterKeywordId,
): Promise<void> {
  await reviseFilter(ctx, viewer, {
    of: filterWithKeyword(ctx, viewerById(viewer.id), id),
    patchFor: () => ({ keywords: [{ id, destroy: true }] }),
  })
}

/** The keyword with this id, or `NotFound`. */
export function keywordIn({ keywords }: Pick<FilterPlan['filter'], 'keywords'>, id: FilterKeywordId) {
  const found = keywords.find((keyword) => keyword.id === id)
  if (found === undefined) throw new NotFound()
  return found
}

/** With no word at all still a keyword, which is refused: `planFilterUpdate` skips blank rows of forms. */
function newKeyword({ keyword = '', wholeWord = true }: KeywordChange): KeywordPatch {
  return { keyword, wholeWord }
}
