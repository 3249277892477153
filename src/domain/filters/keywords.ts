import { NotFound } from '../../errors'
import type { FilterKeyword } from '../../lib/filters/rule'
import type { FilterId, FilterKeywordId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { type Viewer, viewerById } from '../core/viewer'
import { filterWithKeyword, ownFilter } from './find'
import type { FilterPlan, KeywordPatch } from './plan'
import { reviseFilter } from './update'

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
  const { keyword = '', wholeWord = true } = change
  const { added } = await reviseFilter(ctx, viewer, {
    of: ownFilter(ctx, viewerById(viewer.id), filterId),
    patchFor: () => ({ keywords: [{ keyword, wholeWord }] }),
  })
  const [made] = added
  if (made === undefined) throw new Error('A keyword was planned and not added')
  return made
}

/**
 * Changes a keyword of the viewer; with `filterId` only one in that filter. `NotFound` for another account's.
 * Publishes `filters.changed`.
 */
export async function changeKeyword(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { id, filterId, ...change }: KeywordChange & { readonly id: FilterKeywordId; readonly filterId?: FilterId },
): Promise<FilterKeyword> {
  const { filter } = await reviseFilter(ctx, viewer, {
    of: filterWithKeyword(ctx, viewerById(viewer.id), id),
    patchFor: (found) => {
      if (filterId !== undefined && found.id !== filterId) throw new NotFound()
      return { keywords: [{ id, ...change }] }
    },
  })
  return keywordIn(filter, id)
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
