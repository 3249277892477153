import type { FilterAction, FilterKeyword, FilterRule } from '../../contract/filters'
import { execute, orNotFound } from '../../db/query'
import { Invalid } from '../../errors'
import type { FilterKeywordId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Viewer, viewerById } from '../core/viewer'
import { createFilter, deleteFilter, filterWithKeyword, reviseFilter } from './create'
import { keywordIn, removeKeyword } from './keywords'
import type { FilterPatch } from './plan'

/** A filter for clients before 4.0: a single phrase, with the id of its keyword. */
export interface PhraseFilter {
  readonly filter: FilterRule
  readonly keyword: FilterKeyword
}

export interface PhrasePatch extends Pick<FilterPatch, 'contexts' | 'expiresInSeconds'> {
  readonly phrase?: string | undefined
  readonly wholeWord?: boolean | undefined
  /** Hidden, instead of behind a warning. */
  readonly irreversible?: boolean | undefined
}

/** Every keyword as a filter. */
export function phrasesOf(filters: readonly FilterRule[]): readonly PhraseFilter[] {
  return filters.flatMap((filter) => filter.keywords.map((keyword) => ({ filter, keyword })))
}

/** Creates a filter titled by its one phrase. `Invalid` as `planFilterUpdate` says. Publishes `filters.changed`. */
export async function createPhrase(ctx: Ctx, viewer: Viewer, patch: PhrasePatch): Promise<PhraseFilter> {
  const { phrase = '', wholeWord = false, irreversible = false, ...rest } = patch
  const filter = await createFilter(ctx, viewer, {
    ...rest,
    title: phrase,
    action: irreversible ? 'hide' : 'warn',
    keywords: [{ keyword: phrase, wholeWord }],
  })
  const [keyword] = filter.keywords
  if (keyword === undefined) throw new Error('A keyword was planned and not added')
  return { filter, keyword }
}

/**
 * Changes a phrase and the filter around it; a title that was the phrase follows it. Absent keys stay unchanged.
 *
 * `Invalid` when that would change the filter for other keywords as well, which clients before 4.0 cannot show.
 * `NotFound` for another account's. Publishes `filters.changed`.
 */
export async function changePhrase(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: FilterKeywordId; readonly patch: PhrasePatch },
): Promise<PhraseFilter> {
  const { filter } = await reviseFilter(ctx, viewer, {
    of: filterWithKeyword(ctx, viewerById(viewer.id), id),
    patchFor: (found) => patchOf(found, id, patch),
  })
  return { filter, keyword: keywordIn(filter, id) }
}

/** The filter patch for a changed phrase. Pure. */
function patchOf(filter: FilterRule, id: FilterKeywordId, patch: PhrasePatch): FilterPatch {
  const { phrase, wholeWord, irreversible, contexts, expiresInSeconds } = patch
  const keywords = [{ id, keyword: phrase, wholeWord }]
  const title = filter.title === keywordIn(filter, id).keyword ? phrase : undefined
  const action = actionOf(filter.action, irreversible)
  const sameContexts = contexts === undefined || sameSet(contexts, filter.contexts)
  const sameEnd = expiresInSeconds === undefined || (expiresInSeconds === null && filter.expiresAt === null)
  if (filter.keywords.length === 1) return { title, contexts, action, expiresInSeconds, keywords }
  if (sameContexts && sameEnd && action === filter.action) return { keywords }
  throw new Invalid('several_keywords')
}

/** Clients before 4.0 do not know `blur`: an action they did not mean to change stays. */
function actionOf(action: FilterAction, irreversible: boolean | undefined): FilterAction {
  if (irreversible === undefined || irreversible === (action === 'hide')) return action
  return irreversible ? 'hide' : 'warn'
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set([...a, ...b]).size === b.length && new Set(a).size === b.length
}

/**
 * Deletes a phrase, and its filter if that is empty then. `NotFound` for another account's. Publishes
 * `filters.changed`.
 */
export async function deletePhrase(ctx: Ctx, viewer: Viewer, id: FilterKeywordId): Promise<void> {
  const filter = await execute(ctx.db, orNotFound(filterWithKeyword(ctx, viewerById(viewer.id), id)))
  const isLast = filter.keywords.length === 1 && filter.statuses.length === 0
  await (isLast ? deleteFilter(ctx, viewer, filter.id) : removeKeyword(ctx, viewer, id))
}
