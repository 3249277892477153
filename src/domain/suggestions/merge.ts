import type { SuggestionEntry, SuggestionSource } from '../../db/schema/discovery'
import type { AccountId } from '../../lib/ids'

/** Accounts one source names, best first. */
export interface RankedSource {
  readonly source: SuggestionSource
  readonly ids: readonly AccountId[]
}

/** Each account once, where it is named first, with every source that names it. Pure. */
export function mergeSuggestions(lists: readonly RankedSource[]): SuggestionEntry[] {
  const sources = new Map<AccountId, SuggestionSource[]>()
  for (const { source, ids } of lists)
    for (const id of ids) {
      const known = sources.get(id) ?? []
      sources.set(id, known.includes(source) ? known : [...known, source])
    }
  return [...sources].map(([id, named]) => ({ id, sources: named }))
}
