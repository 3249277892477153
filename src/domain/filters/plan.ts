import {
  type FilterAction,
  type FilterContext,
  type FilterKeyword,
  type FilterRule,
  filterContexts,
} from '../../contract/filters'
import { filterLimits } from '../../contract/limits'
import { Invalid, NotFound } from '../../errors'
import { distinct, type Problem, problem, tooLong } from '../../errors/sentences'
import type { FilterKeywordId } from '../../lib/ids'

/** A keyword to add (no id), to change, or to remove; absent keys stay, a new one is for whole words. */
export interface KeywordPatch {
  readonly id?: FilterKeywordId | undefined
  readonly keyword?: string | undefined
  readonly wholeWord?: boolean | undefined
  readonly destroy?: boolean | undefined
}

/** Changes to a filter; absent keys stay unchanged. */
export interface FilterPatch {
  readonly title?: string | undefined
  /** As sent: unknown contexts are refused later. */
  readonly contexts?: readonly string[] | undefined
  readonly action?: FilterAction | undefined
  /** Counted from now; null for no end. */
  readonly expiresInSeconds?: number | null | undefined
  readonly keywords?: readonly KeywordPatch[] | undefined
}

export interface FilterPlan {
  /** The filter after the update. */
  readonly filter: FilterRule
  readonly added: readonly FilterKeyword[]
  readonly changed: readonly FilterKeyword[]
  readonly removedIds: readonly FilterKeywordId[]
}

interface PlanContext {
  readonly now: Date
  nextId(): number
}

/**
 * Plans the update of a filter by a patch. Pure.
 *
 * Keyword patches apply in their order: the last one on a keyword counts, except that a removal is final. `NotFound`
 * for a keyword that is not in the filter, `Invalid` for an invalid filter or keyword: then nothing at all is to be
 * changed.
 */
export function planFilterUpdate(filter: FilterRule, patch: FilterPatch, means: PlanContext): FilterPlan {
  const { added, kept, changed, removedIds } = planKeywords(filter.keywords, patch.keywords ?? [], means)
  const contexts = patch.contexts === undefined ? filter.contexts : parseContexts(patch.contexts)
  const title = patch.title ?? filter.title
  const keywords = [...kept, ...added]
  const problems = [
    ...problemsOfTitle(title),
    ...(contexts === null || contexts.length === 0 ? [problem('no_context', { field: 'context' })] : []),
    ...distinct([...changed, ...added].flatMap(({ keyword }) => problemsOfKeyword(keyword))),
    ...(keywords.length > filterLimits.keywords
      ? [problem('too_many', { field: 'keywords', max: filterLimits.keywords })]
      : []),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  if (changed.length + added.length > 0) refuseDuplicates(keywords)
  const { action = filter.action, expiresInSeconds } = patch
  return {
    filter: {
      ...filter,
      title,
      action,
      keywords,
      contexts: contexts ?? [],
      expiresAt: expiresInSeconds === undefined ? filter.expiresAt : endOf(expiresInSeconds, means.now),
    },
    added,
    changed,
    removedIds,
  }
}

function planKeywords(
  present: readonly FilterKeyword[],
  patches: readonly KeywordPatch[],
  { nextId }: PlanContext,
) {
  const after = new Map(present.map((keyword) => [keyword.id, keyword]))
  const removed = new Set<FilterKeywordId>()
  const added: FilterKeyword[] = []
  for (const { id, wholeWord, destroy = false, ...sent } of patches) {
    const keyword = sent.keyword?.trim()
    if (id !== undefined) {
      const before = after.get(id)
      if (before === undefined) throw new NotFound()
      after.set(id, { id, keyword: keyword ?? before.keyword, wholeWord: wholeWord ?? before.wholeWord })
      if (destroy) removed.add(id)
      continue
    }
    // Forms send untouched rows as well.
    const isBlank = (keyword ?? '') === '' && wholeWord === undefined
    if (!destroy && !isBlank)
      added.push({ id: nextId(), keyword: keyword ?? '', wholeWord: wholeWord ?? true })
  }
  const kept = [...after.values()].filter(({ id }) => !removed.has(id))
  const before = new Set(present)
  return { added, kept, changed: kept.filter((keyword) => !before.has(keyword)), removedIds: [...removed] }
}

function parseContexts(contexts: readonly string[]): readonly FilterContext[] | null {
  const wanted = contexts.map((context) => context.trim()).filter((context) => context !== '')
  const found = filterContexts.filter((context) => wanted.includes(context))
  return wanted.every((context) => found.some((one) => one === context)) ? found : null
}

function problemsOfTitle(title: string): readonly Problem[] {
  if (title.trim() === '') return [problem('blank', { field: 'title' })]
  return tooLong('title', title, filterLimits.titleCharacters)
}

function problemsOfKeyword(keyword: string): readonly Problem[] {
  if (keyword === '') return [problem('blank', { field: 'keyword' })]
  return tooLong('keyword', keyword, filterLimits.keywordCharacters)
}

/** A duplicate keyword would only match twice. */
function refuseDuplicates(keywords: readonly FilterKeyword[]): void {
  if (new Set(keywords.map(({ keyword }) => keyword)).size === keywords.length) return
  throw new Invalid('taken', { field: 'keyword' })
}

/** The last year with four digits: clients cannot read more. */
const lastInstant = Date.UTC(9999, 11, 31)

function endOf(seconds: number | null, now: Date): Date | null {
  if (seconds === null) return null
  const end = now.getTime() + Math.max(0, seconds) * 1000
  if (end > lastInstant) throw new Invalid('too_far_away', { field: 'expires_in' })
  return new Date(end)
}
